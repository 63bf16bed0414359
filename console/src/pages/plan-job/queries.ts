/** Queries of the page of a plan job. */

import { queryOptions } from '@tanstack/react-query';
import { readJob } from '../../api/jobs.ts';
import { readPlanEvents, readPlanJob } from '../../api/plans.ts';

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function planJobById(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'plan-job', id],
    queryFn: ({ signal }) => readPlanJob(id, signal),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function planEvents(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'plan-job', id, 'events'],
    queryFn: ({ signal }) => readPlanEvents(id, signal),
  });
}

/** A job that the plan has started. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function stepJob(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'jobs', 'step', id],
    queryFn: ({ signal }) => readJob(id, signal),
    retry: false,
  });
}
