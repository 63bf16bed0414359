/** The steps of plans in YAML. */

import { type StyledYaml, YamlText } from '../../../lib/yaml/index.ts';
import { invalidPlan, invalidStep, rubyInspect } from './invalid-plan.ts';
import { codeOf, textOf, VARIABLE_NAME } from './yaml-code.ts';

interface StepKind {
  readonly required: readonly string[];
  readonly allowed?: readonly string[];
  /** Keys that become options of the function, with `_` in front. */
  readonly options?: readonly string[];
  /** The call. @param options - code of a hash, `undefined` when it would be empty */
  readonly code: (step: Step) => string;
}

type Body = ReadonlyMap<string, StyledYaml>;

interface Step {
  readonly body: Body;
  readonly kind: StepKind;
}

const KINDS: Readonly<Record<string, StepKind>> = {
  command: {
    required: ['command', 'targets'],
    options: ['catch_errors', 'env_vars', 'run_as'],
    code: (step) => call('run_command', step, ['command', 'targets', 'description']),
  },
  download: {
    required: ['download', 'destination', 'targets'],
    options: ['catch_errors', 'run_as'],
    code: (step) => call('download_file', step, ['download', 'destination', 'targets', 'description']),
  },
  eval: { required: ['eval'], code: ({ body }) => codeOf(body.get('eval') ?? null) },
  message: { required: ['message'], code: (step) => call('out::message', step, ['message']) },
  verbose: { required: ['verbose'], code: (step) => call('out::verbose', step, ['verbose']) },
  plan: {
    required: ['plan'],
    allowed: ['parameters'],
    options: ['catch_errors', 'run_as'],
    code: (step) => call('run_plan', step, ['plan', 'targets'], step.body.get('parameters')),
  },
  resources: {
    required: ['resources', 'targets'],
    options: ['catch_errors', 'noop', 'run_as'],
    code: resourcesCode,
  },
  script: {
    required: ['script', 'targets'],
    allowed: ['arguments', 'pwsh_params'],
    options: ['catch_errors', 'env_vars', 'run_as'],
    code: (step) =>
      call(
        'run_script',
        step,
        ['script', 'targets', 'description'],
        given(step.body, ['arguments', 'pwsh_params']),
      ),
  },
  task: {
    required: ['targets', 'task'],
    allowed: ['parameters'],
    options: ['catch_errors', 'noop', 'run_as'],
    code: (step) => call('run_task', step, ['task', 'targets', 'description'], step.body.get('parameters')),
  },
  upload: {
    required: ['destination', 'targets', 'upload'],
    options: ['catch_errors', 'run_as'],
    code: (step) => call('upload_file', step, ['upload', 'destination', 'targets', 'description']),
  },
};

const ORDER = [
  'command',
  'download',
  'eval',
  'message',
  'verbose',
  'plan',
  'resources',
  'script',
  'task',
  'upload',
];

export interface StepPlace {
  readonly number: number;
  /** Variables that there are; the step's own is added. */
  readonly names: Set<string>;
  readonly file: string;
}

/** @throws PlanError that says what is wrong with it */
export function readStep(
  step: StyledYaml,
  { file, names, number }: StepPlace,
): { readonly code: string; readonly line: number | undefined } {
  if (!(step instanceof Map)) {
    const text = `Parse error in step number ${number}: Plan step must be an object with valid step keys.`;
    throw invalidPlan(text, file);
  }
  const body: Body = step;
  const given = body.get('name');
  const name = given === undefined ? undefined : textOf(given);
  const refuse = (message: string): Error => invalidStep(message, { file, name, number });
  const found = ORDER.filter((key) => body.has(key));
  const [type = ''] = found;
  const kind = KINDS[type];
  if (kind === undefined) throw refuse('No valid action detected');
  if (found.length > 1) throw refuse(`Multiple action keys detected: ${rubyInspect(found)}`);
  const mistake = mistakeIn(body, type, kind);
  if (mistake !== undefined) throw refuse(mistake);
  if (name !== undefined && !VARIABLE_NAME.test(name))
    throw refuse(`Invalid step name: ${rubyInspect(name)}`);
  if (name !== undefined && names.has(name))
    throw refuse(`Duplicate step name or parameter detected: ${rubyInspect(name)}`);
  if (name !== undefined) names.add(name);
  const code = kind.code({ body, kind });
  return { code: name === undefined ? code : `$${name} = ${code}`, line: lineOf(body.get(type) ?? null) };
}

function mistakeIn(
  body: Body,
  type: string,
  { allowed = [], options = [], required }: StepKind,
): string | undefined {
  const known = new Set([...required, ...allowed, ...options, 'name', 'description', 'targets']);
  const illegal = [...body.keys()].filter((key) => !known.has(key));
  if (illegal.length > 0)
    return `The ${rubyInspect(type)} step does not support: ${rubyInspect(illegal)} key(s)`;
  const missing = required.filter((key) => !body.has(key));
  if (missing.length > 0) return `The ${rubyInspect(type)} step requires: ${rubyInspect(missing)} key(s)`;
  return mistakeInValues(body);
}

function mistakeInValues(body: Body): string | undefined {
  const value = (key: string): StyledYaml => body.get(key) ?? null;
  const isText = (given: StyledYaml): boolean => given instanceof YamlText || typeof given === 'string';
  if (value('arguments') !== null && !Array.isArray(value('arguments')))
    return 'arguments key must be an array';
  if (value('pwsh_params') !== null && !(value('pwsh_params') instanceof Map))
    return 'pwsh_params key must be a hash';
  if (body.has('env_vars') && !(value('env_vars') instanceof Map) && !isText(value('env_vars')))
    return 'env_vars key must be a hash or evaluable string';
  const parameters = body.get('parameters');
  if (parameters === undefined) return undefined;
  if (!(parameters instanceof Map)) return 'Parameters key must be a hash';
  const twice = [...body.keys()].filter((key) => parameters.has(`_${key}`));
  return twice.length === 0
    ? undefined
    : `Cannot specify metaparameters when using top-level keys with same name: ${twice.join(', ')}`;
}

/** The line on which something is written; `undefined` for what has no place of its own. */
function lineOf(value: StyledYaml): number | undefined {
  if (value instanceof YamlText) return value.line;
  const parts = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : [];
  return parts.map(lineOf).find((line) => line !== undefined);
}

/** @param others - entries that come before the options */
function call(name: string, { body, kind }: Step, keys: readonly string[], others?: StyledYaml): string {
  const args = keys.filter((key) => body.has(key)).map((key) => codeOf(body.get(key) ?? null));
  const entries = new Map(others instanceof Map ? (others as Body) : []);
  for (const key of kind.options ?? []) if (body.has(key)) entries.set(`_${key}`, body.get(key) ?? null);
  if (entries.size > 0) args.push(codeOf(entries));
  return `${name}(${args.join(', ')})`;
}

function given(body: Body, keys: readonly string[]): Body {
  return new Map(
    keys.filter((key) => (body.get(key) ?? null) !== null).map((key) => [key, body.get(key) ?? null]),
  );
}

/** Each resource comes after the one before it. */
function resourcesCode({ body, kind }: Step): string {
  const resources = body.get('resources');
  const list = Array.isArray(resources) ? (resources as readonly StyledYaml[]) : [];
  const declarations = list.flatMap((each) => (each instanceof Map ? [resourceCode(each)] : []));
  const targets = codeOf(body.get('targets') ?? null);
  const apply = call('apply', { body, kind }, ['targets']);
  return `with() || { apply_prep(${targets}) ${apply} { ${declarations.join(' -> ')} } }`;
}

function resourceCode(resource: Body): string {
  const [type = '', title = null] =
    resource.has('type') && resource.has('title')
      ? [textOf(resource.get('type') ?? null), resource.get('title')]
      : ([...resource].find(([key]) => key !== 'parameters') ?? []);
  const parameters = resource.get('parameters');
  const attributes = parameters instanceof Map ? Array.from(parameters as Body) : [];
  const code = attributes.map(([key, value]) => `${key} => ${codeOf(value)}`);
  return `${type} { ${codeOf(title)}: ${code.join(', ')} }`;
}
