/** Plans that people run: started, followed, stopped, remembered. */

import type { InventoryOptions, PlanDescription } from '../../../language/plans/index.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { ServiceError, type ServiceErrorReason } from '../../../lib/service-error.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { PlanProgress, PlanRunner } from '../plan-runner.ts';
import type { PlanActions } from '../termini.ts';
import type { NewPlanEvent, PlanActor, PlanEventType, PlanJob, StoredPlanEvent } from './plan-job.ts';
import type { PlanJobStore } from './store.ts';

export interface PlanOrder {
  readonly plan: string;
  readonly environment: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Which plans there are. */
export interface PlanListTerminus {
  /** `undefined` when there is no such environment. */
  plans(environment: string): Promise<readonly string[] | undefined>;
}

export interface PlanJobsOptions {
  readonly store: PlanJobStore;
  readonly runner: PlanRunner;
  readonly plans: PlanListTerminus;
  /** What a plan job does to the world. @param job - its number */
  readonly actionsOf: (job: number, owner: PlanActor) => PlanActions;
  /** The targets that plans know when they begin. */
  readonly inventory: () => InventoryOptions;
  /** Jobs that a plan has started and that have not ended. */
  readonly openJobsOf: (job: number) => Promise<readonly number[]>;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** What is running in this process. */
interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** Events that are not stored yet: one after the other, in their order. */
  stored: Promise<void>;
  /** How many plans have begun in it and not ended. */
  plans: number;
}

const describeTimeoutMs = 30_000;

export class PlanJobs {
  private readonly options: PlanJobsOptions;
  private readonly running = new Map<number, Running>();
  private readonly listeners = new Set<(id: number) => void>();

  constructor(options: PlanJobsOptions) {
    this.options = options;
  }

  /** Plans that were running when the server ended have failed: they are not begun again. Their jobs run to their ends. */
  async start(): Promise<void> {
    const { openJobsOf, store } = this.options;
    const msg = 'The plan was interrupted: the orchestrator was restarted';
    for (const id of await store.running())
      await store.finish(id, 'failure', failure(msg, await openJobsOf(id)), this.now());
  }

  /** Stops everything, and says so of each plan. */
  async close(): Promise<void> {
    const all = [...this.running.values()];
    for (const { stop } of all)
      stop.abort(new Error('The plan was interrupted: the orchestrator is stopping'));
    await Promise.all(all.map(({ ended }) => ended));
  }

  /**
   * Runs a plan in the background.
   *
   * @param startKey - a second run with the same key of the same owner is the first one
   * @returns the number of the plan job
   * @throws ServiceError `unknown-environment`, `unknown-plan`, `validation-error` for a plan that cannot be read
   */
  async run(order: PlanOrder, owner: PlanActor, startKey?: string): Promise<number> {
    const { store } = this.options;
    const hidden = await this.sensitiveParameters(order);
    const isShown = ([name]: readonly [string, Json]) => !hidden.includes(name);
    const shown = Object.fromEntries(Object.entries(order.parameters).filter(isShown));
    const { author, login } = owner;
    const job = {
      ...order,
      parameters: shown,
      owner: { id: owner.id, login },
      createdAt: this.now(),
      ...(startKey === undefined ? {} : { startKey }),
    };
    const { id, isNew } = await store.add(job, author);
    if (!isNew) return id;
    const stop = new AbortController();
    const running: { -readonly [K in keyof Running]: Running[K] } = {
      stop,
      stored: Promise.resolve(),
      plans: 0,
      ended: Promise.resolve(),
    };
    this.running.set(id, running);
    this.tell(id);
    running.ended = this.carryOut(id, order, owner, running);
    return id;
  }

  /** Calls back with the number of each plan job that begins, goes on or ends. @returns what ends that */
  onChange(listener: (id: number) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Parameters whose values may not be shown. @throws ServiceError as `run` */
  async sensitiveParameters({
    environment,
    plan,
  }: Pick<PlanOrder, 'environment' | 'plan'>): Promise<readonly string[]> {
    const { parameters } = await this.describe(environment, plan);
    return Object.keys(parameters).filter((name) => parameters[name]?.isSensitive === true);
  }

  /** @throws ServiceError as `run` */
  async describe(environment: string, plan: string): Promise<PlanDescription> {
    const names = await this.names(environment);
    if (!names.includes(plan))
      throw planError('unknown-plan', `Unknown plan ${plan} in environment ${environment}`, {
        plan,
        environment,
      });
    try {
      return await this.options.runner.describe(environment, plan, AbortSignal.timeout(describeTimeoutMs));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw planError('validation-error', error instanceof Error ? error.message : String(error));
    }
  }

  /** The names of all plans. @throws ServiceError `unknown-environment` */
  async names(environment: string): Promise<readonly string[]> {
    const names = await this.options.plans.plans(environment);
    if (names === undefined)
      throw planError('unknown-environment', `Unknown environment ${environment}`, { environment });
    return names;
  }

  /** @throws ServiceError `unknown-plan-job` */
  async get(id: number): Promise<PlanJob> {
    const job = await this.options.store.find(id);
    if (job === undefined)
      throw planError('unknown-plan-job', `Unknown plan job ${id}`, { plan_job: String(id) });
    return job;
  }

  async list(limit: number, offset: number): ReturnType<PlanJobStore['list']> {
    return await this.options.store.list(limit, offset);
  }

  /** @throws ServiceError `unknown-plan-job` */
  async events(id: number, start: number): Promise<readonly StoredPlanEvent[]> {
    await this.get(id);
    return await this.options.store.events(id, start);
  }

  /** Ends a plan where it is; what runs on nodes goes on. @throws ServiceError `unknown-plan-job` */
  async stop(id: number, { author, login }: PlanActor): Promise<PlanJob> {
    const { plan } = await this.get(id);
    const running = this.running.get(id);
    if (running !== undefined) await this.options.store.recordStop(id, plan, author, this.now());
    running?.stop.abort(new Error(`The plan was stopped by ${login}`));
    await running?.ended;
    return await this.get(id);
  }

  async prune(before: Date): Promise<number> {
    return await this.options.store.prune(before);
  }

  /** Never rejects: only `stop` waits for it. */
  private async carryOut(id: number, order: PlanOrder, owner: PlanActor, running: Running): Promise<void> {
    const { actionsOf, inventory, log, openJobsOf, runner, store } = this.options;
    try {
      const outcome = await runner
        .run({
          ...order,
          actions: actionsOf(id, owner),
          inventory: inventory(),
          signal: running.stop.signal,
          observe: (progress) => this.note(id, progress, running),
        })
        .catch(async (error: unknown) => {
          if (!running.stop.signal.aborted)
            log.error({ planJob: id, err: error }, 'plan failed unexpectedly');
          const message = error instanceof Error ? error.message : String(error);
          return { status: 'failure', value: failure(message, await openJobsOf(id)) } as const;
        });
      await running.stored;
      await store.finish(id, outcome.status, outcome.value, this.now());
      this.tell(id);
    } catch (error) {
      log.error({ planJob: id, err: error }, 'the end of a plan could not be stored');
    } finally {
      this.running.delete(id);
    }
  }

  private note(id: number, progress: PlanProgress, running: Running): void {
    if (progress.kind === 'plan-started') running.plans += 1;
    // Of the plan itself the end says more.
    const isItself = running.plans <= 1;
    if (progress.kind === 'plan-ended') running.plans -= 1;
    const event = eventOf(progress, id, this.now());
    const isAboutPlan = progress.kind === 'plan-started' || progress.kind === 'plan-ended';
    if (event === undefined || (isAboutPlan && isItself)) return;
    const { log, store } = this.options;
    running.stored = running.stored
      .then(() => store.addEvent(id, event))
      .then(() => this.tell(id))
      .catch((error: unknown) =>
        log.error({ planJob: id, err: error }, 'an event of a plan could not be stored'),
      );
  }

  private tell(id: number): void {
    for (const listener of this.listeners) listener(id);
  }

  private now(): Date {
    return new Date(this.options.nowMs());
  }
}

const startTypes = {
  apply: 'apply_start',
  'apply-prep': 'apply_start',
  command: 'command_start',
  download: 'download_start',
  resources: 'task_start',
  script: 'script_start',
  task: 'task_start',
  upload: 'upload_start',
  wait: 'wait_start',
  write: 'upload_start',
} as const satisfies Readonly<Record<string, PlanEventType>>;

/** @returns `undefined` for what people are not told of */
function eventOf(progress: PlanProgress, id: number, at: Date): NewPlanEvent | undefined {
  switch (progress.kind) {
    case 'message':
      return { type: 'out_message', at, details: { message: progress.message } };
    case 'action-started':
      return { type: startTypes[progress.action.kind], at, details: { 'job-id': progress.job ?? null } };
    case 'plan-started':
    case 'plan-ended':
      return {
        type: progress.kind === 'plan-started' ? 'plan_start' : 'plan_end',
        at,
        details: { plan: progress.plan, 'plan-id': String(id) },
      };
    default:
      return undefined;
  }
}

/** @param jobs - of the plan, whose nodes go on with what they have begun */
function failure(reason: string, jobs: readonly number[]): JsonObject {
  const one = jobs.length === 1;
  const rest = `${one ? 'Job' : 'Jobs'} ${jobs.join(', ')} ${one ? 'goes' : 'go'} on where nodes have begun`;
  const msg = jobs.length === 0 ? reason : `${reason}. ${rest}`;
  const details = jobs.length === 0 ? {} : { jobs: jobs.map(String) };
  return { kind: 'puppetlabs.orchestrator/plan-interrupted', msg, details };
}

const reasons = {
  'unknown-environment': 'not-found',
  'unknown-plan': 'not-found',
  'unknown-plan-job': 'not-found',
  'mismatched-job-event-id': 'not-found',
  'not-permitted': 'forbidden',
  'validation-error': 'bad-request',
} as const satisfies Readonly<Record<string, ServiceErrorReason>>;

/** A failure by the kinds that clients of Puppet Enterprise's orchestrator know. */
export function planError(
  kind: keyof typeof reasons,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(reasons[kind], message, { kind: `puppetlabs.orchestrator/${kind}`, details });
}
