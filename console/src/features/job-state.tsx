/** The state of a job, or of one of its nodes: icon, word and colour. */

import { Ban, Check, CircleDashed, CircleX, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { type JobState, jobStateWords, type NodeState, nodeStateWords } from '../lib/jobs.ts';
import styles from './status.module.css';

type AnyState = JobState | NodeState;

const looks: Readonly<Record<AnyState, readonly [icon: LucideIcon, colour: string]>> = {
  new: [CircleDashed, 'var(--muted)'],
  ready: [CircleDashed, 'var(--muted)'],
  running: [LoaderCircle, 'var(--intentional)'],
  stopping: [Ban, 'var(--corrective)'],
  stopped: [Ban, 'var(--muted)'],
  skipped: [Ban, 'var(--muted)'],
  finished: [Check, 'var(--unchanged)'],
  failed: [CircleX, 'var(--failed)'],
  errored: [CircleX, 'var(--failed)'],
};

export function JobStateMark({ state }: { readonly state: JobState }): ReactElement {
  return <Mark state={state} words={jobStateWords[state]} />;
}

interface NodeStateProps {
  readonly state: NodeState;
  /** How many are in this state. */
  readonly count?: number;
}

export function NodeStateMark({ count, state }: NodeStateProps): ReactElement {
  const words = nodeStateWords[state];
  return (
    <Mark state={state} words={count === undefined ? words : `${words} ${count.toLocaleString('en')}`} />
  );
}

function Mark({ state, words }: { readonly state: AnyState; readonly words: string }): ReactElement {
  const [Icon, color] = looks[state];
  return (
    <span className={styles.status} style={{ color }}>
      <Icon size={16} aria-hidden />
      {words}
    </span>
  );
}
