/** Jobs that start at a time: the orchestrator's, and plans. */

import { randomUUID } from 'node:crypto';
import { ScheduledJobs } from '../../services/orchestrator/index.ts';
import type { PlanJobs } from '../../services/plans/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';
import type { Foundation } from '../foundation.ts';
import { periodically } from '../periodic.ts';
import type { RunningOrchestrator } from './orchestrator.ts';

export interface SchedulingSources {
  readonly orchestration: RunningOrchestrator;
  readonly plans: PlanJobs;
  readonly rbac: Rbac;
}

const scheduleMs = 5000;

export function openScheduling(
  { log: root }: Foundation,
  { orchestration: { orchestrator, runner, schedules }, plans, rbac }: SchedulingSources,
) {
  const log = root.child({ service: 'orchestrator' });
  const scheduled = new ScheduledJobs({
    store: schedules,
    orchestrator,
    plans,
    isInCharge: () => runner.isRunning,
    // Certificates that were let in may do everything.
    findActor: async (owner) =>
      owner.id.startsWith('certificate:')
        ? {
            ...owner,
            permits: () => true,
            author: { kind: 'certificate', id: owner.login, name: owner.login },
          }
        : await rbac.tokens.findActor(owner.id),
    nowMs: () => Date.now(),
    newId: randomUUID,
    log,
  });
  const work = periodically(() => scheduled.tick(), scheduleMs, log, 'start scheduled jobs');
  return { scheduled, stop: () => work.stop() };
}
