/**
 * Jobs that start at a time. Each starts once: it is added under a key of its own, which a second attempt after a crash finds again.
 */

import type { Json } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Change } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Actor } from './actor.ts';
import type { JobOwner } from './jobs/job.ts';
import type { Asking, Orchestrator, TaskOrder } from './orchestrator.ts';
import { orchestratorError } from './orchestrator-error.ts';
import { jobScheduled, scheduleDeleted } from './recorded-changes.ts';

export interface ScheduledJob {
  readonly id: number;
  readonly owner: JobOwner;
  readonly scheduledAt: Date;
  /** `undefined` when it was stored with a key that is no longer there. */
  readonly order: TaskOrder | undefined;
  /** What the API shows of the request: sensitive values are left out. */
  readonly shown: Readonly<Record<string, Json>>;
}

export interface ScheduleStore {
  addScheduled(
    job: Omit<ScheduledJob, 'id' | 'order'> & { readonly order: TaskOrder },
    change: Change,
  ): Promise<number>;
  /** The next first. */
  scheduled(): Promise<readonly ScheduledJob[]>;
  /** @param change - who removes it; absent when its time has come @returns whether it was there */
  removeScheduled(id: number, change?: Change): Promise<boolean>;
}

export interface ScheduledJobsOptions {
  readonly store: ScheduleStore;
  readonly orchestrator: Orchestrator;
  /** Who an owner is now, with what he may do now; `undefined` when he is gone or revoked. */
  readonly findActor: (owner: JobOwner) => Promise<Actor | undefined>;
  readonly nowMs: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  readonly log: Logger;
}

export class ScheduledJobs {
  private readonly options: ScheduledJobsOptions;

  constructor(options: ScheduledJobsOptions) {
    this.options = options;
  }

  /**
   * Checks the task now, and runs it then, on the nodes that the scope has then.
   *
   * @returns the number of the scheduled job
   * @throws ServiceError by the kinds of `orchestrator-error.ts`
   */
  async add(order: TaskOrder, scheduledAt: Date, { actor }: Asking): Promise<number> {
    const { newId, nowMs, orchestrator, store } = this.options;
    if (scheduledAt.getTime() <= nowMs())
      throw orchestratorError('invalid-time', 'The scheduled time is not in the future', {
        scheduled_time: scheduledAt.toISOString(),
      });
    const { options: shown } = await orchestrator.prepareTask(order, actor);
    const owner = { id: actor.id, login: actor.login };
    const moment = { token: newId(), time: new Date(nowMs()) };
    const change = jobScheduled(shown, scheduledAt, actor.author, moment);
    return await store.addScheduled({ owner, scheduledAt, order, shown }, change);
  }

  async all(): Promise<readonly ScheduledJob[]> {
    return await this.options.store.scheduled();
  }

  /** @throws ServiceError `not-permitted` for another user's, `unknown-job` */
  async remove(id: number, actor: Actor): Promise<void> {
    const found = (await this.all()).find((job) => job.id === id);
    const mayDeleteAny = actor.permits({ objectType: 'scheduled_jobs', action: 'delete' });
    if (found !== undefined && found.owner.id !== actor.id && !mayDeleteAny)
      throw orchestratorError('not-permitted', `Not authorized to delete job ${id}`);
    const { nowMs, store } = this.options;
    const change = found && scheduleDeleted(id, found.shown, actor.author, new Date(nowMs()));
    if (change === undefined || !(await store.removeScheduled(id, change)))
      throw orchestratorError('unknown-job', `Unknown scheduled job ${id}`);
  }

  /** Starts what is due. To be called from time to time. */
  async tick(): Promise<void> {
    const now = this.options.nowMs();
    for (const job of await this.all()) if (job.scheduledAt.getTime() <= now) await this.start(job);
  }

  private async start({ id, order, owner }: ScheduledJob): Promise<void> {
    const { findActor, log, orchestrator, store } = this.options;
    try {
      const actor = await findActor(owner);
      if (actor === undefined || order === undefined)
        log.warn({ scheduledJob: id, login: owner.login }, 'scheduled job cannot be started any more');
      else {
        const { signal } = new AbortController();
        const job = await orchestrator.runTask(order, {
          actor,
          signal,
          idempotencyKey: `scheduled job ${id}`,
        });
        log.info({ scheduledJob: id, job }, 'started scheduled job');
      }
    } catch (err) {
      if (!(err instanceof ServiceError) || err.reason === 'unavailable') throw err;
      log.warn({ err, scheduledJob: id }, 'scheduled job could not be started');
    }
    await store.removeScheduled(id);
  }
}
