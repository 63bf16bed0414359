/**
 * Plans in YAML, turned into the plan in the Puppet language that does the same. Each step stands on the line on which it
 * stands in the YAML text, so that errors name that line.
 */

import { parseStyledYaml, type StyledYaml, YamlError, YamlText } from '../../../lib/yaml/index.ts';
import { failure } from '../../catalog/index.ts';
import { invalidPlan, rubyInspect } from './invalid-plan.ts';
import { readStep } from './step.ts';
import { codeOf, literal, textOf, VARIABLE_NAME, type YamlHash } from './yaml-code.ts';

const PLAN_KEYS: ReadonlySet<string> = new Set([
  'parameters',
  'private',
  'steps',
  'return',
  'version',
  'description',
]);
const PARAMETER_KEYS: ReadonlySet<string> = new Set(['type', 'default', 'description']);

/** @throws PlanError that says what is wrong with the plan, PuppetError when it is no plan at all */
export function planSource(name: string, text: string, file: string): string {
  const plan = readYaml(text, file);
  if (!(plan instanceof Map)) {
    throw failure(`The data loaded from ${file} does not contain an object - its type is ${rubyKind(plan)}`);
  }
  const parameters = readParameters(plan, file);
  const unknown = [...plan.keys()].filter((key) => !PLAN_KEYS.has(key));
  const isPrivate = plan.get('private') ?? null;
  if (isPrivate !== null && typeof isPrivate !== 'boolean') {
    throw invalidPlan(
      `Plan ${name} key 'private' must be a boolean, received: ${rubyInspect(textOf(isPrivate))}`,
      file,
    );
  }
  if (unknown.length > 0) throw invalidPlan(`Plan contains illegal key(s) ${rubyInspect(unknown)}`, file);
  const steps = plan.get('steps');
  if (!Array.isArray(steps)) throw invalidPlan('Plan must specify an array of steps', file);
  const lines = new Lines(`plan ${name}(${parameters.map(({ code }) => code).join(', ')}) {`);
  const names = new Set(parameters.map((parameter) => parameter.name));
  for (const [index, step] of steps.entries()) {
    const { code, line } = readStep(step, { number: index + 1, names, file });
    lines.add(code, line);
  }
  lines.add(`return(${codeOf(plan.get('return') ?? null)})`, undefined);
  lines.add('}', undefined);
  return lines.text;
}

class Lines {
  text: string;
  private line = 1;

  constructor(first: string) {
    this.text = first;
  }

  add(code: string, line: number | undefined): void {
    const missing = Math.max(1, (line ?? 0) - this.line);
    const added = `${'\n'.repeat(missing)}${code}`;
    this.text += added;
    this.line += added.split('\n').length - 1;
  }
}

function readYaml(text: string, file: string): StyledYaml {
  try {
    return parseStyledYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw failure(`(${file}): ${error.message}`);
  }
}

function readParameters(plan: YamlHash, file: string) {
  const given = plan.get('parameters') ?? new Map();
  if (!(given instanceof Map)) throw invalidPlan('Plan parameters must be a Hash', file);
  return Array.from(given as YamlHash, ([name, definition]) => {
    if (!VARIABLE_NAME.test(name)) throw invalidPlan(`Invalid parameter name ${rubyInspect(name)}`, file);
    const parts: YamlHash = definition instanceof Map ? definition : new Map();
    const unknown = [...parts.keys()].filter((key) => !PARAMETER_KEYS.has(key));
    if (unknown.length > 0) {
      const text = `Plan parameter ${rubyInspect(name)} contains illegal key(s) ${rubyInspect(unknown)}`;
      throw invalidPlan(text, file);
    }
    const type = parts.get('type') ?? null;
    const value = parts.get('default') ?? null;
    const code = `${type === null ? '' : `${textOf(type)} `}$${name}${value === null ? '' : ` = ${literal(value)}`}`;
    return { name, code };
  });
}

function rubyKind(value: StyledYaml): string {
  if (Array.isArray(value)) return 'Array';
  if (value === null) return 'NilClass';
  if (value instanceof YamlText) return 'Bolt::PAL::YamlPlan::BareString';
  return typeof value === 'number' ? 'Integer' : 'String';
}
