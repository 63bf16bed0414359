/** Plans of the primary: their threads, their jobs, and the orchestrator that acts for them. */

import type { InventoryOptions } from '../../language/plans/index.ts';
import { rubyChoice } from '../../platform/ruby/index.ts';
import type { Connections } from '../../services/orchestrator/index.ts';
import { PlanJobStore, PlanJobs, PlanRunner } from '../../services/plans/index.ts';
import type { Foundation } from '../foundation.ts';
import { periodically } from '../periodic.ts';
import { workerFile } from '../worker-files.ts';
import { type PlanActionTermini, planActions } from './plan-actions.ts';
import type { PlanRuby } from './plan-worker.ts';

export interface PlanTermini extends PlanActionTermini {
  readonly plans: { plans(environment: string): Promise<readonly string[] | undefined> };
  readonly connections: Pick<Connections, 'groups'>;
}

/** Groups of SSH connections are groups of targets. */
function inventoryOf(connections: PlanTermini['connections']): InventoryOptions {
  const groups = Array.from(connections.groups(), ([name, targets]) => ({ name, targets }));
  return { transport: 'pcp', all: { groups } };
}

const pruneMs = 3_600_000;

export function openPlans({ database, log: root, settings }: Foundation, termini: PlanTermini) {
  const log = root.child({ service: 'plans' });
  const threadData: PlanRuby = {
    commands: rubyChoice(settings.ruby).commands,
    timeoutSeconds: settings.rubyTimeoutSeconds,
    memoryBytes: settings.rubyMemoryBytes,
  };
  const runner = new PlanRunner({
    code: termini.code,
    workerUrl: workerFile('plan-worker'),
    threadData,
    maxHeapMiB: Math.ceil(settings.compileWorkerHeapBytes / 2 ** 20),
    log,
  });
  const jobs = new PlanJobs({
    store: new PlanJobStore(database),
    runner,
    plans: termini.plans,
    actionsOf: (job, owner) => planActions(termini, job, owner),
    inventory: () => inventoryOf(termini.connections),
    openJobsOf: (job) => termini.orchestrator.openJobsOf(job),
    nowMs: () => Date.now(),
    log,
  });
  const forget = async (): Promise<void> => {
    await jobs.prune(new Date(Date.now() - settings.jobPruneThresholdSeconds * 1000));
  };
  const pruning = periodically(forget, pruneMs, log, 'forget old plan jobs');
  return {
    jobs,
    start: () => jobs.start(),
    async stop() {
      await pruning.stop();
      await jobs.close();
    },
  };
}
