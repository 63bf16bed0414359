/** Which results which jobs have. */

import type { Outcome, Results } from './action.ts';
import type { JobType } from './job.ts';
import {
  applyOutcome,
  collectOutcome,
  commandOutcome,
  downloadOutcome,
  puppetRunOutcome,
  taskOutcome,
} from './outcome.ts';

export type OutcomeKind = 'run' | 'task' | 'command' | 'download' | 'collect' | 'apply';

/** What results mean for each kind of job: made where nothing is known of the job. */
export type Outcomes = Readonly<Record<OutcomeKind, Outcome>>;

const kindOf: Readonly<Record<JobType, OutcomeKind>> = {
  deploy: 'run',
  task: 'task',
  command: 'command',
  script: 'command',
  plan_task: 'task',
  plan_command: 'command',
  plan_script: 'command',
  plan_upload: 'download',
  plan_download: 'collect',
  plan_apply: 'apply',
  plan_apply_prep: 'task',
};

const interpreters: Readonly<Record<OutcomeKind, (results: Results) => Outcome>> = {
  run: puppetRunOutcome,
  task: taskOutcome,
  command: commandOutcome,
  download: downloadOutcome,
  collect: (results) => collectOutcome(results),
  apply: (results) => applyOutcome(results),
};

/** @param known - what another thread has made of the results already */
export function interpret(type: JobType, results: Results, known: Outcomes | undefined): Outcome {
  const kind = kindOf[type];
  return known === undefined ? interpreters[kind](results) : known[kind];
}

export function allOutcomes(results: Results): Outcomes {
  const task = taskOutcome(results);
  return {
    run: puppetRunOutcome(results),
    task,
    command: commandOutcome(results),
    download: downloadOutcome(results),
    collect: collectOutcome(results, task),
    apply: applyOutcome(results, task),
  };
}
