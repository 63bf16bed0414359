/** What plans do to the world, done by the orchestrator's jobs. */

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskFileTree } from '../../lib/disk-file-tree.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { CodeTerminus, PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { Orchestrator, PlanActionOrder, TaskTerminus } from '../../services/orchestrator/index.ts';
import type { ActionContext, PlanActions, PlanActor, TargetAction } from '../../services/plans/index.ts';

export interface PlanActionTermini {
  readonly orchestrator: Orchestrator;
  readonly tasks: TaskTerminus;
  readonly puppetDb: PuppetDbTerminus | undefined;
  readonly code: CodeTerminus;
}

type Outcome = Awaited<ReturnType<PlanActions['act']>>;
type NodeResult = Extract<Outcome, { readonly kind: 'results' }>['results'][number];
type Part = Pick<PlanActionOrder, 'certnames' | 'what'>;

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
  switch (action.kind) {
    case 'task':
      return await run(termini, acting, { action, type: 'plan_task', parts: taskParts(action) });
    case 'command': {
      const command = withVariables(action.command, action.options.environment);
      const request = { module: 'command', action: 'run', params: { command } };
      const what = { kind: 'request', request, shown: { command: action.command } } as const;
      return await run(termini, acting, {
        action,
        type: 'plan_command',
        parts: [{ certnames: action.targets, what }],
      });
    }
    case 'script': {
      const script = moduleFile(termini.code, acting.context.environment, action.path);
      if (script === undefined)
        return notSupported(`to run scripts that are not in files of a module (${action.script})`);
      const params = { script, arguments: action.arguments };
      const request = { module: 'script', action: 'run', params };
      const what = { kind: 'request', request, shown: { script: action.script } } as const;
      return await run(termini, acting, {
        action,
        type: 'plan_script',
        parts: [{ certnames: action.targets, what }],
      });
    }
    case 'upload': {
      const file = moduleFile(termini.code, acting.context.environment, action.source);
      if (file === undefined)
        return notSupported(`to upload anything but a file of a module (${action.source})`);
      const { sha256, uri } = file;
      const { destination } = action;
      const entry = { destination, kind: 'file', link_source: '', uri, sha256 };
      const request = { module: 'file', action: 'download', params: { files: [entry] } };
      const shown = { source: action.source, destination };
      const what = { kind: 'request', request, shown } as const;
      return await run(termini, acting, {
        action,
        type: 'plan_upload',
        parts: [{ certnames: action.targets, what }],
      });
    }
    case 'apply': {
      const perNode = new Map(
        action.targets.map((target, index) => [target.toLowerCase(), applyParams(action, index)] as const),
      );
      const request = { module: 'apply', action: 'apply', params: {}, perNode };
      const what = { kind: 'request', request, shown: { noop: action.options.noop === true } } as const;
      return await run(termini, acting, {
        action,
        type: 'plan_apply',
        parts: [{ certnames: action.targets, what }],
      });
    }
    case 'apply-prep': {
      const { environment } = acting.context;
      const request = { module: 'apply', action: 'prep', params: { environment } };
      const what = { kind: 'request', request, shown: {} } as const;
      return await run(termini, acting, {
        action,
        type: 'plan_apply_prep',
        parts: [{ certnames: action.targets, what }],
      });
    }
    case 'wait':
      acting.context.started(undefined);
      return await waitForAgents(termini.orchestrator, action, acting.context.signal);
    case 'download':
      return notSupported('to download files from nodes');
    case 'write':
      return notSupported('to write files that are no files of a module');
    default:
      return action satisfies never;
  }
}

async function run(
  { orchestrator }: PlanActionTermini,
  { context, owner, planJob }: Acting,
  work: {
    readonly action: TargetAction;
    readonly type: PlanActionOrder['type'];
    readonly parts: readonly Part[];
  },
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
    const { detail, result } = node?.outcome ?? {};
    if (node?.state === 'finished' || node?.state === 'failed') return { target, value: result ?? {} };
    return {
      target,
      value: { ...result, _error: executionFailure(detail ?? 'The node was left out', target) },
    };
  });
  return { kind: 'results', results };
}

/** One for all targets with the same parameters: mostly there is only one. */
function taskParts(action: Extract<TargetAction, { readonly kind: 'task' }>): readonly Part[] {
  const { parameters, sensitive, targets, task } = action;
  const groups = Map.groupBy(targets.keys(), (index) => JSON.stringify(parameters[index] ?? {}));
  return Array.from(groups.values(), (indexes) => ({
    certnames: indexes.map((index) => targets[index] ?? ''),
    what: { kind: 'task', task, params: parameters[indexes[0] ?? 0] ?? {}, sensitive },
  }));
}

function applyParams(
  { catalogs, options }: Extract<TargetAction, { readonly kind: 'apply' }>,
  index: number,
): JsonObject {
  const catalog = JSON.parse(catalogs[index] ?? '{}') as Json;
  return { catalog, apply_options: { noop: options.noop === true } };
}

/** Agents know no variables for a command: a shell sets them. */
function withVariables(command: string, variables: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(variables ?? {});
  if (entries.length === 0) return command;
  const exports = entries.map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  );
  return `${exports.join('; ')}; ${command}`;
}

/** A file of a module as agents fetch it; `undefined` for anything else. */
function moduleFile(code: CodeTerminus, environment: string, path: string) {
  const acquired = code.acquire(environment);
  if (acquired === undefined) return undefined;
  try {
    const { config, mappings, physicalDirectory } = acquired.source;
    const root = config.modulepath.find((directory) => path.startsWith(`${directory}/`));
    const [, module, mount, rest] =
      /^([^/]+)\/(files|scripts)\/(.+)$/.exec(path.slice((root ?? '').length + 1)) ?? [];
    if (root === undefined || module === undefined || rest === undefined) return undefined;
    const files = new DiskFileTree(config.directory, physicalDirectory, mappings);
    const content = files.kind(path) === 'file' ? files.readBytes(path) : undefined;
    if (content === undefined) return undefined;
    const uriPath = `/puppet/v3/file_content/${mount === 'files' ? 'modules' : 'scripts'}/${module}/${rest}`;
    return {
      filename: rest.split('/').at(-1) ?? rest,
      sha256: createHash('sha256').update(content).digest('hex'),
      uri: { path: uriPath, params: { environment } },
    };
  } finally {
    acquired.release();
  }
}

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
