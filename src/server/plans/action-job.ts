/** The job that an action of a plan becomes. */

import type { Json, JsonObject } from '../../lib/json.ts';
import type { CodeTerminus } from '../../services/compiler/index.ts';
import type { PlanActionOrder } from '../../services/orchestrator/index.ts';
import type { TargetAction } from '../../services/plans/index.ts';
import { moduleFile, moduleUpload, serverFile } from './module-files.ts';

export interface ActionJob {
  readonly type: PlanActionOrder['type'];
  /** Each with nodes of its own. */
  readonly parts: readonly Pick<PlanActionOrder, 'certnames' | 'what'>[];
}

export interface ActionSetting {
  readonly code: CodeTerminus;
  readonly environment: string;
}

/** Waiting for agents needs no job. */
export type JobAction = Exclude<TargetAction, { readonly kind: 'wait' }>;

type ActionOf<K extends TargetAction['kind']> = Extract<TargetAction, { readonly kind: K }>;
/** @returns what is not possible, where it isn't */
type Maker<K extends TargetAction['kind']> = (
  action: ActionOf<K>,
  setting: ActionSetting,
) => ActionJob | string;

const makers: { readonly [K in JobAction['kind']]: Maker<K> } = {
  task: (action) => ({ type: 'plan_task', parts: taskParts(action) }),
  command: (action) => {
    const command = withVariables(action.command, action.options.environment);
    const request = { module: 'command', action: 'run', params: { command } };
    return requestJob('plan_command', action, { request, shown: { command: action.command } });
  },
  script(action, { code, environment }) {
    const script = moduleFile(code, environment, action.path);
    // Agents get files of modules, and set no variables.
    if (script === undefined || action.options.environment !== undefined)
      return ownScriptJob(action, serverFile(code, environment, action.path));
    const params = { script, arguments: action.arguments };
    const request = { module: 'script', action: 'run', params };
    return requestJob('plan_script', action, { request, shown: { script: action.script } });
  },
  upload(action, { code, environment }) {
    const { destination, source } = action;
    const files = moduleUpload(code, environment, source, destination);
    if (files === undefined) return uploadOfServer(action, serverFile(code, environment, source));
    const request = { module: 'file', action: 'download', params: { files } };
    return requestJob('plan_upload', action, { request, shown: { source, destination } });
  },
  apply(action) {
    const { catalogs, targets } = action;
    const texts = new Map(targets.map((target, index) => [target.toLowerCase(), catalogs[index]] as const));
    // One after the other: together they would hold the main thread up.
    const perNode = (certname: string): JsonObject => ({
      catalog: JSON.parse(texts.get(certname) ?? '{}') as Json,
      apply_options: { noop: action.options.noop === true },
    });
    const request = { module: 'apply', action: 'apply', params: {}, perNode };
    return requestJob('plan_apply', action, { request, shown: { noop: action.options.noop === true } });
  },
  'apply-prep': (action, { environment }) => {
    const request = { module: 'apply', action: 'prep', params: { environment } };
    return requestJob('plan_apply_prep', action, { request, shown: {} });
  },
  resources: (action) => {
    const { resources, targets } = action;
    const what = { kind: 'task', task: 'bunraku::resources', params: { resources }, sensitive: [] } as const;
    return { type: 'plan_task', parts: [{ certnames: targets, what }] };
  },
  write: (action) => writeJob(action, Buffer.from(action.content)),
  download: (action) => {
    const { destination, source } = action;
    const request = { module: 'file', action: 'collect', params: { source, destination } };
    return requestJob('plan_download', action, { request, shown: { source, destination } });
  },
};

/** @returns what is not possible, where it isn't */
export function actionJob(action: JobAction, setting: ActionSetting): ActionJob | string {
  // The maker of its own kind.
  const make = makers[action.kind] as (action: JobAction, setting: ActionSetting) => ActionJob | string;
  return make(action, setting);
}

type RequestPart = Omit<Extract<PlanActionOrder['what'], { readonly kind: 'request' }>, 'kind'>;

function requestJob(
  type: ActionJob['type'],
  { targets }: Pick<TargetAction, 'targets'>,
  part: RequestPart,
): ActionJob {
  return { type, parts: [{ certnames: targets, what: { kind: 'request', ...part } }] };
}

/** One for all targets with the same parameters: mostly there is only one. */
function taskParts({ parameters, sensitive, targets, task }: ActionOf<'task'>): ActionJob['parts'] {
  const groups = Map.groupBy(targets.keys(), (index) => JSON.stringify(parameters[index] ?? {}));
  return Array.from(groups.values(), (indexes) => ({
    certnames: indexes.map((index) => targets[index] ?? ''),
    what: { kind: 'task', task, params: parameters[indexes[0] ?? 0] ?? {}, sensitive },
  }));
}

/** Messages to agents have a limit, and this content is in one. */
const mostUploadedBytes = 10 * 1024 * 1024;

function ownScriptJob(action: ActionOf<'script'>, content: Uint8Array | undefined): ActionJob | string {
  const { options, path, script, targets } = action;
  if (content === undefined || content.length > mostUploadedBytes)
    return `to run scripts of more than 10 MiB (${script})`;
  const params = {
    name: path.split('/').at(-1) ?? '',
    content: Buffer.from(content).toString('base64'),
    arguments: action.arguments,
    variables: options.environment ?? {},
  };
  const sensitive = ['content', 'variables'];
  const what = { kind: 'task', task: 'bunraku::script', params, sensitive, shown: { script } } as const;
  return { type: 'plan_script', parts: [{ certnames: targets, what }] };
}

function uploadOfServer(action: ActionOf<'upload'>, content: Uint8Array | undefined): ActionJob | string {
  const { source } = action;
  if (content === undefined) return `to upload directories that are not in a module (${source})`;
  if (content.length > mostUploadedBytes)
    return `to upload more than 10 MiB that is not in a module (${source})`;
  return writeJob(action, content);
}

function writeJob(
  { destination, targets }: Pick<ActionOf<'write'>, 'destination' | 'targets'>,
  content: Uint8Array,
): ActionJob {
  const params = {
    path: Buffer.from(destination).toString('base64'),
    content: Buffer.from(content).toString('base64'),
  };
  const what = {
    kind: 'task',
    task: 'bunraku::write_file',
    params,
    sensitive: ['content', 'path'],
    shown: { destination },
  } as const;
  return { type: 'plan_upload', parts: [{ certnames: targets, what }] };
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
