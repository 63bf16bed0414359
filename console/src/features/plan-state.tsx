/** The state of a plan that was run: icon, word and colour. */

import type { ReactElement } from 'react';
import type { PlanJob } from '../api/plans.ts';
import { JobStateMark } from './job-state.tsx';

export function PlanStateMark({ state }: Pick<PlanJob, 'state'>): ReactElement {
  return (
    <JobStateMark state={state === 'success' ? 'finished' : state === 'failure' ? 'failed' : 'running'} />
  );
}
