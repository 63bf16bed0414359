/** What plans do to the world, done by the orchestrator's jobs. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { CodeTerminus, PuppetDbTerminus } from '../../services/compiler/index.ts';
import {
  type Downloads,
  type Orchestrator,
  type TaskTerminus,
  transportOf,
} from '../../services/orchestrator/index.ts';
import type { ActionContext, PlanActions, PlanActor, TargetAction } from '../../services/plans/index.ts';
import { type ActionJob, actionJob, type JobAction } from './action-job.ts';

export interface PlanActionTermini {
  readonly orchestrator: Orchestrator;
  readonly tasks: TaskTerminus;
  readonly puppetDb: PuppetDbTerminus | undefined;
  readonly code: CodeTerminus;
  readonly downloads: Pick<Downloads, 'clear'>;
}

type Outcome = Awaited<ReturnType<PlanActions['act']>>;
type NodeResult = Extract<Outcome, { readonly kind: 'results' }>['results'][number];

/** @param planJob - whose actions they are @param owner - in whose name */
export function planActions(termini: PlanActionTermini, planJob: number, owner: PlanActor): PlanActions {
  return {
    async act(action, context) {
      try {
        return await actOn(termini, action, { context, planJob, owner });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return failed(error.kind, error.message);
      }
    },
    async findTask(environment, name) {
      const answer = await termini.tasks.task(environment, name);
      // It is there: what is wrong with it says more than that it is unknown.
      if (answer.kind === 'invalid') throw new Error(answer.issue.message);
      return answer.kind === 'found' ? answer.value.metadata : undefined;
    },
    async queryPuppetdb(query, signal) {
      if (termini.puppetDb === undefined) throw new Error('There is no PuppetDB to ask');
      return JSON.parse(await termini.puppetDb.query(JSON.stringify(query), signal)) as Json;
    },
  };
}

interface Acting {
  readonly context: ActionContext;
  readonly planJob: number;
  readonly owner: PlanActor;
}

async function actOn(termini: PlanActionTermini, action: TargetAction, acting: Acting): Promise<Outcome> {
  const { runAs } = action.options;
  // Agents run as root; there is nothing to switch to another user with.
  if (runAs !== undefined && runAs !== 'root') return notSupported(`to run as ${runAs}`);
  if (action.kind === 'wait') {
    acting.context.started(undefined);
    return await waitForAgents(termini.orchestrator, action, acting.context.signal);
  }
  return action.kind === 'download'
    ? await download(termini, action, acting)
    : await runJob(termini, action, acting);
}

/** @throws ServiceError as `actForPlan` of the orchestrator */
async function runJob(termini: PlanActionTermini, action: JobAction, acting: Acting): Promise<Outcome> {
  const { environment } = acting.context;
  const job = actionJob(action, { code: termini.code, environment });
  return typeof job === 'string' ? notSupported(job) : await run(termini, acting, { action, ...job });
}

async function run(
  { orchestrator }: PlanActionTermini,
  { context, owner, planJob }: Acting,
  work: ActionJob & { readonly action: TargetAction },
): Promise<Outcome> {
  const { description, noop = false } = work.action.options;
  let isFirst = true;
  const started = (id: number): void => {
    if (isFirst) context.started(String(id));
    isFirst = false;
  };
  const nodes = await Promise.all(
    work.parts.map((part) =>
      orchestrator.actForPlan(
        {
          ...part,
          certnames: [...new Set(part.certnames.map((name) => name.toLowerCase()))],
          type: work.type,
          planJob: String(planJob),
          environment: context.environment,
          description,
          isNoop: noop,
          started,
        },
        owner,
        context.signal,
      ),
    ),
  );
  const byName = new Map(nodes.flat().map((node) => [node.certname, node] as const));
  const results = work.action.targets.map((target): NodeResult => {
    const node = byName.get(target.toLowerCase());
    const { detail, largeResult, result } = node?.outcome ?? {};
    if (largeResult !== undefined) return { target, json: largeResult };
    if (node?.state === 'finished' || node?.state === 'failed') return { target, value: result ?? {} };
    return {
      target,
      value: { ...result, _error: executionFailure(detail ?? 'The node was left out', target) },
    };
  });
  return { kind: 'results', results };
}

/** Agents send no files; nodes that are reached by SSH do. */
async function download(
  termini: PlanActionTermini,
  action: Extract<TargetAction, { readonly kind: 'download' }>,
  acting: Acting,
): Promise<Outcome> {
  const isBySsh = (target: string): boolean => {
    const connection = termini.orchestrator.connection(target);
    return connection !== undefined && transportOf(connection) === 'ssh';
  };
  const { no: others = [], yes: targets = [] } = Object.groupBy(action.targets, (target) =>
    isBySsh(target) ? 'yes' : 'no',
  );
  const refused = others.map((target): NodeResult => ({ target, value: { _error: noDownload } }));
  await termini.downloads.clear(action.destination);
  if (targets.length === 0) {
    acting.context.started(undefined);
    return { kind: 'results', results: refused };
  }
  const outcome = await runJob(termini, { ...action, targets }, acting);
  return outcome.kind === 'results' ? { ...outcome, results: [...outcome.results, ...refused] } : outcome;
}

/** In the words of the reference. */
const noDownload = {
  kind: 'bolt/not-supported-error',
  msg: 'pcp transport does not support downloading files',
  details: {},
};

async function waitForAgents(
  orchestrator: Orchestrator,
  { retrySeconds, seconds, targets }: Extract<TargetAction, { readonly kind: 'wait' }>,
  signal: AbortSignal,
): Promise<Outcome> {
  const until = performance.now() + seconds * 1000;
  const missing = () => targets.filter((name) => orchestrator.connection(name) === undefined);
  while (missing().length > 0 && performance.now() < until)
    await sleep(Math.max(retrySeconds, 0.1) * 1000, undefined, { signal });
  const late = new Set(missing());
  const error = {
    kind: 'puppetlabs.tasks/exception-error',
    msg: 'Timed out waiting for target',
    details: {},
  };
  return {
    kind: 'results',
    results: targets.map(
      (target): NodeResult => ({ target, value: late.has(target) ? { _error: error } : {} }),
    ),
  };
}

function executionFailure(msg: string, node: string): JsonObject {
  return { kind: 'puppetlabs.orchestrator/execution-failure', msg, details: { node } };
}

function notSupported(what: string): Outcome {
  return failed('puppetlabs.orchestrator/not-supported', `It is not possible ${what} over PCP`);
}

function failed(kind: string | undefined, msg: string): Outcome {
  return { kind: 'failed', error: { kind: kind ?? 'puppetlabs.orchestrator/unknown-error', msg } };
}
