/**
 * Jobs that start at a time, once or again and again. Each time starts one job: it is added under a key of its own, which a second
 * attempt, after a crash or of another process, finds again.
 */

import { ServiceError } from '../../../lib/service-error.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { type Actor, requirePermission } from '../actor.ts';
import type { JobOwner } from '../jobs/job.ts';
import type { Asking, Orchestrator } from '../orchestrator.ts';
import { orchestratorError } from '../orchestrator-error.ts';
import { jobScheduled, type ShownOrder, scheduleChanged, scheduleDeleted } from '../recorded-changes.ts';
import { nextTime, nextTimes, type Schedule } from './schedule.ts';
import type { LastRun, PlanTerminus, ScheduledJob, ScheduledOrder, ScheduleStore } from './scheduled-job.ts';

export interface ScheduledJobsOptions {
  readonly store: ScheduleStore;
  readonly orchestrator: Orchestrator;
  readonly plans: PlanTerminus;
  /** Whether this process carries jobs on. */
  readonly isInCharge: () => boolean;
  /** Who an owner is now, with what he may do now; `undefined` when he is gone or revoked. */
  readonly findActor: (owner: JobOwner) => Promise<Actor | undefined>;
  readonly nowMs: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  readonly log: Logger;
}

export class ScheduledJobs {
  private readonly options: ScheduledJobsOptions;
  private readonly listeners = new Set<() => void>();

  constructor(options: ScheduledJobsOptions) {
    this.options = options;
  }

  /**
   * Checks now what is to run, and runs it then, on the nodes that the scope has then.
   *
   * @returns the number of the scheduled job
   * @throws ServiceError by the kinds of `orchestrator-error.ts`
   */
  async add(scheduled: ScheduledOrder, schedule: Schedule, { actor }: Asking): Promise<number> {
    const { newId, nowMs, store } = this.options;
    const now = nowMs();
    const scheduledAt = firstTime(schedule, now);
    const shown = await this.prepare(scheduled, actor);
    const owner = { id: actor.id, login: actor.login };
    const change = jobScheduled({ type: scheduled.type, shown }, schedule, actor.author, {
      token: newId(),
      time: new Date(now),
    });
    const id = await store.add({ owner, schedule, scheduledAt, order: scheduled, shown }, change);
    this.tell();
    return id;
  }

  /** Calls back when something is scheduled, changed, started or deleted. @returns what ends that */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What came of its times, the last first. @throws ServiceError `unknown-job` */
  async runs(id: number): Promise<readonly LastRun[]> {
    await this.get(id);
    return await this.options.store.runs(id);
  }

  /** When something with this schedule would start. @throws ServiceError `invalid-time` when it would not */
  nextTimes(schedule: Schedule, most: number): readonly number[] {
    const now = this.options.nowMs();
    firstTime(schedule, now);
    return nextTimes(schedule, now, most);
  }

  async all(): Promise<readonly ScheduledJob[]> {
    return await this.options.store.all();
  }

  /** @throws ServiceError `unknown-job` */
  async get(id: number): Promise<ScheduledJob> {
    const found = (await this.all()).find((job) => job.id === id);
    if (found === undefined) throw unknownJob(id);
    return found;
  }

  /** @throws ServiceError `not-permitted` for another user's, `unknown-job` */
  async remove(id: number, actor: Actor): Promise<void> {
    const job = await this.get(id);
    requireOwn(job, actor, `delete job ${id}`);
    const change = scheduleDeleted(job, actor.author, this.now());
    if (!(await this.options.store.remove(id, change))) throw unknownJob(id);
    this.tell();
  }

  /**
   * Lets a job run at other times, or not at all for a while. What it does stays as it is.
   *
   * @throws ServiceError `not-permitted` for another user's, `unknown-job`, `disabled-scheduled-job` for other times of one that is
   *   disabled
   */
  async change(
    id: number,
    { isEnabled, schedule }: { readonly isEnabled?: boolean; readonly schedule?: Schedule },
    actor: Actor,
  ): Promise<void> {
    const job = await this.get(id);
    requireOwn(job, actor, `edit job ${id}`);
    if (!job.isEnabled && isEnabled !== true)
      throw orchestratorError('disabled-scheduled-job', `Scheduled job ${id} is disabled`, { id });
    const wanted = { schedule: schedule ?? job.schedule, isEnabled: isEnabled ?? job.isEnabled };
    const scheduledAt = wanted.isEnabled ? firstTime(wanted.schedule, this.options.nowMs()) : job.scheduledAt;
    const change = scheduleChanged(job, wanted, actor.author, this.now());
    if (!(await this.options.store.update(id, { ...wanted, scheduledAt }, change))) throw unknownJob(id);
    this.tell();
  }

  /** Starts what is due. To be called from time to time. */
  async tick(): Promise<void> {
    const now = this.options.nowMs();
    for (const job of await this.all())
      if (job.isEnabled && job.scheduledAt.getTime() <= now && this.options.isInCharge())
        await this.pass(job);
  }

  /** Starts it, and moves it on. Times that were missed while this server was away count as one. */
  private async pass(job: ScheduledJob): Promise<void> {
    const at = this.options.nowMs();
    const lastRun: LastRun = { at, ...(await this.start(job)) };
    const next = nextTime(job.schedule, at);
    await this.options.store.pass(job, next === undefined ? undefined : new Date(next), lastRun);
    this.tell();
  }

  private async start(job: ScheduledJob): Promise<Pick<LastRun, 'job' | 'error'>> {
    const { findActor, log } = this.options;
    const { id, order, owner } = job;
    try {
      const actor = await findActor(owner);
      if (actor === undefined || order === undefined) {
        const error =
          actor === undefined ? `${owner.login} is gone or revoked` : 'its parameters cannot be read';
        log.warn({ scheduledJob: id, login: owner.login }, 'scheduled job cannot be started any more');
        return { error };
      }
      // The first ones had keys without a time.
      const time = job.schedule.kind === 'once' ? '' : ` at ${job.scheduledAt.toISOString()}`;
      const started = await this.run(order, actor, `scheduled job ${id}${time}`);
      log.info({ scheduledJob: id, job: started }, 'started scheduled job');
      return { job: started };
    } catch (err) {
      if (!(err instanceof ServiceError) || err.reason === 'unavailable') throw err;
      log.warn({ err, scheduledJob: id }, 'scheduled job could not be started');
      return { error: err.message };
    }
  }

  private async run(scheduled: ScheduledOrder, actor: Actor, key: string): Promise<number> {
    const { orchestrator, plans } = this.options;
    const asking = { actor, idempotencyKey: key, signal: new AbortController().signal };
    switch (scheduled.type) {
      case 'task':
        return await orchestrator.runTask(scheduled.order, asking);
      case 'deploy':
        return await orchestrator.deploy(scheduled.order, asking);
      case 'plan':
        requirePlan(actor, scheduled.order.plan);
        return await plans.run(scheduled.order, actor, key);
      default:
        return scheduled satisfies never;
    }
  }

  /** @returns what may be shown @throws ServiceError as when it runs */
  private async prepare(scheduled: ScheduledOrder, actor: Actor): Promise<ShownOrder> {
    const { orchestrator, plans } = this.options;
    switch (scheduled.type) {
      case 'task':
        return (await orchestrator.prepareTask(scheduled.order, actor)).options;
      case 'deploy':
        orchestrator.prepareDeploy(scheduled.order, actor);
        return scheduled.order.options;
      case 'plan': {
        const { description, environment, parameters, plan } = scheduled.order;
        requirePlan(actor, plan);
        const hidden = await plans.sensitiveParameters(scheduled.order);
        const params = Object.fromEntries(
          Object.entries(parameters).filter(([name]) => !hidden.includes(name)),
        );
        const sensitive = hidden.filter((name) => Object.hasOwn(parameters, name));
        return { plan, environment, description, params, sensitive };
      }
      default:
        return scheduled satisfies never;
    }
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  private now(): Date {
    return new Date(this.options.nowMs());
  }
}

/** @throws ServiceError `invalid-time` when it would never run */
function firstTime(schedule: Schedule, now: number): Date {
  const next = nextTime(schedule, now);
  if (next !== undefined) return new Date(next);
  const message =
    schedule.kind === 'once'
      ? 'The scheduled time is not in the future'
      : `${schedule.kind} has no next time`;
  throw orchestratorError('invalid-time', message);
}

function requireOwn({ id, owner }: ScheduledJob, actor: Actor, what: string): void {
  if (owner.id === actor.id || actor.permits({ objectType: 'scheduled_jobs', action: 'delete' })) return;
  throw orchestratorError('not-permitted', `Not authorized to ${what}`, { id });
}

function requirePlan(actor: Actor, plan: string): void {
  requirePermission(actor, { objectType: 'plans', action: 'run', instance: plan }, `run plan ${plan}`);
}

function unknownJob(id: number): ServiceError {
  return orchestratorError('unknown-job', `Unknown scheduled job ${id}`);
}
