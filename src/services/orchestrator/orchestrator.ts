/** What the orchestrator can do, for routes and plans alike. */

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { Identity, WantedPermission } from '../../platform/http/index.ts';
import { type Actor, actorOf, requirePermission } from './actor.ts';
import { type AgentConnection, type AgentLink, type Transport, transportOf } from './agent-link.ts';
import type { JobRunner } from './job-runner.ts';
import type { JobNode, JobOverview, JobPage, NodeKey, StoredEvent } from './job-store.ts';
import { batchesOf, nodesIn, type Share } from './jobs/batches.ts';
import { type AgentRequest, type JobDefinition, type JobType, stateOf } from './jobs/job.ts';
import { isJobOver } from './jobs/states.ts';
import { orchestratorError } from './orchestrator-error.ts';
import { type PuppetRun, puppetRequest } from './puppet-run.ts';
import type { JobStore } from './store.ts';
import type { Scope } from './targets/scope.ts';
import type { TargetLevel, Targets } from './targets/targets.ts';
import { isTaskOf, type TaskTarget, type TaskTargets } from './task-targets/task-targets.ts';
import { findTask, prepareTask, type TaskRun, unknownEnvironment } from './tasks/task-request.ts';
import type { TaskDetails, TaskTerminus } from './tasks/task-terminus.ts';

interface Order {
  readonly scope: Scope;
  readonly description: string;
  readonly concurrency?: number;
  /** Sizes of the first batch, the second, ...; the last one also of all that follow. All nodes at once when absent. */
  readonly batch?: readonly Share[];
  /** When more nodes have failed, nothing more begins. Without it none may fail where nodes have an order. */
  readonly maxFailures?: Share;
  /** The request as the API shows it. */
  readonly options: Readonly<Record<string, Json>>;
}

export interface DeployOrder extends Order, PuppetRun {}

export interface TaskOrder extends Order, TaskRun {}

export interface CommandOrder extends Order {
  /** For the shell of the agent's user. */
  readonly command: string;
}

export interface ScriptOrder extends Order {
  readonly environment: string;
  /** Of its file. */
  readonly name: string;
  /** In Base64. */
  readonly content: string;
  readonly words: readonly string[];
}

/** An action of a plan. */
export interface PlanActionOrder {
  readonly type: Extract<JobType, `plan_${string}`>;
  readonly planJob: string;
  readonly certnames: readonly string[];
  readonly environment: string;
  readonly description: string;
  readonly isNoop: boolean;
  /** Told the number of the job. */
  readonly started: (id: number) => void;
  readonly what:
    | {
        readonly kind: 'task';
        readonly task: string;
        readonly params: TaskRun['params'];
        /** Names of sensitive parameters, besides those of the metadata. */
        readonly sensitive: readonly string[];
        /** What the API shows besides. */
        readonly shown?: Readonly<Record<string, Json>>;
      }
    | {
        readonly kind: 'request';
        readonly request: AgentRequest;
        /** What the API shows of it. */
        readonly shown: Readonly<Record<string, Json>>;
      };
}

/** Of the modules that every environment has: writes the script to a file and runs it. */
const scriptTask = 'bunraku::script';

interface JobKind extends Pick<JobDefinition, 'type' | 'environment'> {
  /** The nodes on which the user may do this; any when absent. */
  readonly permitted?: ReadonlySet<string> | undefined;
}

/** How long to wait for news of a job before it is looked at all the same. */
const followMs = 10_000;

/** Who asks, and under which name that may come twice. */
export interface Asking {
  readonly actor: Actor;
  readonly idempotencyKey?: string;
  readonly signal: AbortSignal;
}

export interface OrchestratorOptions {
  readonly store: JobStore;
  readonly runner: JobRunner;
  readonly targets: Targets;
  readonly tasks: TaskTerminus;
  readonly link: AgentLink;
  readonly taskTargets: TaskTargets;
  readonly hasEnvironment: (name: string) => boolean;
  readonly nowMs: () => number;
}

export class Orchestrator {
  private readonly options: OrchestratorOptions;

  constructor(options: OrchestratorOptions) {
    this.options = options;
  }

  /** Runs Puppet. @returns the job's id @throws ServiceError by the kinds of `orchestrator-error.ts` */
  async deploy(order: DeployOrder, asking: Asking): Promise<number> {
    this.prepareDeploy(order, asking.actor);
    const { environment } = order;
    return await this.add(order, puppetRequest(order), asking, { type: 'deploy', environment });
  }

  /** Checks a Puppet run that is to be. @throws ServiceError `not-permitted`, `unknown-environment` */
  prepareDeploy({ environment }: DeployOrder, actor: Actor): void {
    requirePermission(actor, { objectType: 'puppet_agent', action: 'run' }, 'run Puppet on nodes');
    if (environment !== '' && !this.options.hasEnvironment(environment))
      throw unknownEnvironment(environment);
  }

  /** Runs a task. @returns the job's id @throws ServiceError by the kinds of `orchestrator-error.ts` */
  async runTask(order: TaskOrder, asking: Asking): Promise<number> {
    const { options, request } = await this.prepareTask(order, asking.actor);
    const { environment } = order;
    const permitted = await this.permittedNodes(order.task, asking);
    const kind = { type: 'task', environment, permitted } as const;
    return await this.add({ ...order, options }, request, asking, kind);
  }

  /**
   * Checks a task that is to be run.
   *
   * @returns what agents are sent, and what may be shown of the order
   * @throws ServiceError as `runTask` for the task and its parameters
   */
  async prepareTask(
    order: TaskOrder,
    actor: Actor,
  ): Promise<{ readonly request: AgentRequest; readonly options: Order['options'] }> {
    const { task } = order;
    const isConstrained = !actor.permits(runTask(task)) && (await this.targetsOf(task, actor)).length > 0;
    if (!isConstrained) requirePermission(actor, runTask(task), `run task ${task}`);
    const { request, sensitive, shownParams } = await prepareTask(this.options.tasks, order);
    return { request, options: { ...order.options, params: shownParams, sensitive, transport: 'pxp' } };
  }

  /** @returns the nodes on which a user may run a task; `undefined` for any */
  private async permittedNodes(
    task: string,
    { actor, signal }: Asking,
  ): Promise<ReadonlySet<string> | undefined> {
    if (actor.permits(runTask(task))) return undefined;
    return await this.options.taskTargets.nodesOf(await this.targetsOf(task, actor), actor, signal);
  }

  private async targetsOf(task: string, actor: Actor): Promise<readonly TaskTarget[]> {
    const usable = await this.options.taskTargets.usable(actor);
    return usable.filter((target) => isTaskOf(target, task));
  }

  /** Runs a line in a shell. @returns the job's id @throws ServiceError by the kinds of `orchestrator-error.ts` */
  async runCommand(order: CommandOrder, asking: Asking): Promise<number> {
    requirePermission(asking.actor, { objectType: 'commands', action: 'run' }, 'run commands on nodes');
    const request = { module: 'command', action: 'run', params: { command: order.command } };
    return await this.add(order, request, asking, { type: 'command', environment: '' });
  }

  /** Runs a script that came along. @returns the job's id @throws ServiceError by the kinds of `orchestrator-error.ts` */
  async runScript(order: ScriptOrder, asking: Asking): Promise<number> {
    requirePermission(asking.actor, { objectType: 'commands', action: 'run' }, 'run scripts on nodes');
    const { content, environment, name, options, words } = order;
    const run = {
      environment,
      task: scriptTask,
      params: { name, content, arguments: words },
      isNoop: false,
    };
    const { request } = await prepareTask(this.options.tasks, run);
    const sha256 = createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex');
    return await this.add({ ...order, options: { ...options, sha256 } }, request, asking, {
      type: 'script',
      environment,
    });
  }

  /**
   * Carries out what a plan asks for. Who may run a plan may do what it does: nothing is asked of the user's other rights.
   *
   * @returns what came of it on each node, when all have ended
   * @throws ServiceError as `runTask` for a task and its parameters; the signal's reason when it is aborted: what runs goes on
   */
  async actForPlan(
    order: PlanActionOrder,
    { author, id: ownerId, login }: Pick<Actor, 'author' | 'id' | 'login'>,
    signal: AbortSignal,
  ): Promise<readonly JobNode[]> {
    const { certnames, description, environment, type } = order;
    const { options, request } = await this.planRequest(order);
    const owner = { id: ownerId, login };
    const definition: JobDefinition = { type, environment, options, owner, description };
    const id = await this.options.runner.add({ definition, levels: [certnames], request }, author);
    order.started(id);
    for (;;) {
      // Asked for first: whatever comes while the job is looked at counts.
      const change = this.nextChange(id, followMs, signal);
      if (await this.isOver(id)) return await this.options.store.nodes.all(id);
      await change;
      if (signal.aborted) {
        await this.options.runner.stop(id, author);
        throw signal.reason;
      }
    }
  }

  /** Jobs of a plan that have not ended. */
  async openJobsOf(planJob: number): Promise<readonly number[]> {
    return await this.options.store.openJobsOf(String(planJob));
  }

  private async planRequest(
    order: PlanActionOrder,
  ): Promise<{ readonly request: AgentRequest; readonly options: Order['options'] }> {
    const { environment, isNoop, what } = order;
    const shown = { plan_job: order.planJob, scope: { nodes: order.certnames } };
    if (what.kind === 'request') return { request: what.request, options: { ...shown, ...what.shown } };
    const { params, task } = what;
    const prepared = await prepareTask(this.options.tasks, { environment, task, params, isNoop });
    const hidden = new Set([...what.sensitive, ...prepared.sensitive]);
    const visible = Object.entries(prepared.shownParams).filter(([name]) => !hidden.has(name));
    const options = { ...shown, ...what.shown, task, params: Object.fromEntries(visible), noop: isNoop };
    return {
      request: prepared.request,
      options: hidden.size === 0 ? options : { ...options, sensitive: [...hidden] },
    };
  }

  /** @returns the job as it is then @throws ServiceError `unknown-job` */
  async stop(id: number, { author }: Actor, isForced: boolean): Promise<JobOverview> {
    await this.job(id);
    await this.options.runner.stop(id, author, isForced);
    return await this.job(id);
  }

  /** @throws ServiceError `unknown-job` */
  async job(id: number): Promise<JobOverview> {
    const found = await this.options.store.find(id);
    if (found === undefined) throw orchestratorError('unknown-job', `Unknown job ${id}`, { job: String(id) });
    return found;
  }

  async jobs(page: JobPage): Promise<{ readonly jobs: readonly JobOverview[]; readonly total: number }> {
    return await this.options.store.list(page);
  }

  /** @throws ServiceError `unknown-job` */
  async nodes(id: number): Promise<JobOverview & { readonly keys: readonly NodeKey[] }> {
    // In this order: a job that is over has nodes that have ended.
    const overview = await this.job(id);
    return { ...overview, keys: await this.options.store.nodes.keys(id) };
  }

  /** Nodes and events, for clients that read some of them at a time. */
  get nodeStore(): JobStore['nodes'] {
    return this.options.store.nodes;
  }

  /** Some events; those after them are to be asked for. @throws ServiceError `unknown-job` */
  async events(id: number, start: number): Promise<readonly StoredEvent[]> {
    await this.job(id);
    return await this.options.store.nodes.events(id, start);
  }

  /** Whether nothing more will come of a job. @throws ServiceError `unknown-job` */
  async isOver(id: number): Promise<boolean> {
    return isJobOver(stateOf((await this.job(id)).job));
  }

  /** Resolves when something of a job has changed: `true`; with the time up or the signal aborted: `false`. */
  async nextChange(id: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return await this.options.runner.changes.next(id, timeoutMs, signal);
  }

  connection(certname: string): AgentConnection | undefined {
    return this.options.link.connection(certname.toLowerCase());
  }

  connections(): Iterable<AgentConnection & { readonly certname: string }> {
    return this.options.link.connections();
  }

  /**
   * The nodes that a job would have, without starting one.
   *
   * @param task - leaves out nodes on which the user may not run it
   * @throws ServiceError as `Targets.resolve`
   */
  async reach(scope: Scope, task: string | undefined, asking: Asking): Promise<readonly TargetLevel[]> {
    const levels = await this.options.targets.levels(scope, asking.actor, asking.signal);
    const permitted = task === undefined ? undefined : await this.permittedNodes(task, asking);
    if (permitted === undefined) return levels;
    return levels.map(({ certnames, ...level }) => ({
      ...level,
      certnames: certnames.filter((name) => permitted.has(name)),
    }));
  }

  /** The tasks that the user may run. @throws ServiceError `unknown-environment` */
  async tasks(
    environment: string,
    actor: Actor,
  ): Promise<readonly { readonly name: string; readonly metadata: JsonObject }[]> {
    const found = await this.options.tasks.tasks(environment);
    if (found === undefined) throw unknownEnvironment(environment);
    const usable = await this.options.taskTargets.usable(actor);
    const mayRun = (name: string) =>
      actor.permits(runTask(name)) || usable.some((target) => isTaskOf(target, name));
    return found.filter(({ name }) => mayRun(name));
  }

  /** @throws ServiceError `unknown-environment`, `unknown-task`, `validation-error` */
  async task(environment: string, name: string): Promise<TaskDetails> {
    return await findTask(this.options.tasks, environment, name);
  }

  /** The nodes that a parameter of a plan stands for. @throws ServiceError as `Targets.resolve` */
  async nodesFor(
    { type, value }: { readonly type: 'query' | 'node_group'; readonly value: string },
    identity: Identity,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const scope =
      type === 'query' ? { kind: type, query: value } : { kind: 'node-group' as const, id: value };
    return (await this.options.targets.resolve(scope, actorOf(identity), signal)).flat();
  }

  transportOf(certname: string): Transport {
    const connection = this.connection(certname);
    return connection === undefined ? 'pcp' : transportOf(connection);
  }

  get nowMs(): number {
    return this.options.nowMs();
  }

  private async add(
    order: Order,
    request: AgentRequest,
    { actor, idempotencyKey, signal }: Asking,
    { permitted, ...kind }: JobKind,
  ): Promise<number> {
    const { concurrency, description, options, scope } = order;
    const wanted = await this.options.targets.resolve(scope, actor, signal);
    const found = wanted.map((names) => names.filter((name) => permitted?.has(name) !== false));
    if (found.flat().length === 0)
      throw orchestratorError(
        'not-permitted',
        `${actor.login} is not permitted to do this on any of the nodes`,
      );
    const { levels, limits } = levelsOf(order, found);
    const definition: JobDefinition = {
      ...kind,
      ...limits,
      // Which servers there were is seen afterwards.
      options: scope.kind === 'infrastructure' ? { ...options, order: levels } : options,
      owner: { id: actor.id, login: actor.login },
      description,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    };
    return await this.options.runner.add({ definition, levels, request }, actor.author);
  }
}

function runTask(name: string): WantedPermission {
  return { objectType: 'tasks', action: 'run', instance: name };
}

/** Divides nodes into batches, and says how many may fail. */
function levelsOf(
  { batch, maxFailures, scope }: Order,
  found: readonly (readonly string[])[],
): {
  readonly levels: readonly (readonly string[])[];
  readonly limits: Pick<JobDefinition, 'levelCount' | 'mostFailures'>;
} {
  const levels = batch === undefined ? found : batchesOf(found.flat(), batch);
  const isOrdered = batch !== undefined || scope.kind === 'order' || scope.kind === 'infrastructure';
  const failures = maxFailures ?? (isOrdered ? 0 : undefined);
  return {
    levels,
    limits: {
      ...(isOrdered ? { levelCount: levels.length } : {}),
      ...(failures === undefined ? {} : { mostFailures: nodesIn(failures, levels.flat().length) }),
    },
  };
}
