/** Parameters of tasks: what metadata says of them, and whether those that are given fit. */

import type { Json, JsonObject } from '../../../lib/json.ts';
import type { CallContext } from '../../functions/index.ts';
import {
  describeMismatch,
  describeParameters,
  inferDetailed,
  PuppetHash,
  parseType,
  plainText,
  SensitiveValue,
  StructElement,
  StructType,
  UndefType,
  type Value,
} from '../../pcore/index.ts';
import { jsonOfData, valueOfJson } from '../plan-data.ts';
import { PlanError } from '../plan-error.ts';
import type { PlanWorld } from '../plan-world.ts';

interface TaskParameter {
  readonly type: string;
  readonly defaultValue: Value | undefined;
  readonly isSensitive: boolean;
}

export interface TaskSignature {
  readonly name: string;
  readonly supportsNoop: boolean;
  /** `undefined` for a task that says nothing of its parameters. */
  readonly parameters: ReadonlyMap<string, TaskParameter> | undefined;
}

/** @throws PlanError when there is no such task */
export function getTask(name: string, world: PlanWorld): TaskSignature {
  const metadata = world.run.once(() => world.host.findTask(name));
  if (metadata === undefined) {
    const message = `Could not find a task named '${name}'. For a list of available tasks, run 'bunraku task list'.`;
    throw PlanError.of('bolt/unknown-task', message);
  }
  const { parameters, supports_noop } = metadata;
  return {
    name,
    supportsNoop: supports_noop === true,
    parameters: isObject(parameters)
      ? new Map(Object.entries(parameters).map(([key, json]) => [key, parameterOf(json)] as const))
      : undefined,
  };
}

function parameterOf(json: Json): TaskParameter {
  const { type, default: given, sensitive } = isObject(json) ? json : {};
  return {
    type: typeof type === 'string' ? type : 'Any',
    defaultValue: given === undefined ? undefined : valueOfJson(given),
    isSensitive: sensitive === true,
  };
}

function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The given parameters with the defaults of those that are missing or undef. */
export function withDefaults(task: TaskSignature, given: PuppetHash): PuppetHash {
  const whole = new PuppetHash();
  for (const [name, { defaultValue }] of task.parameters ?? [])
    if (defaultValue !== undefined) whole.set(name, defaultValue);
  for (const [name, value] of given) if (value !== null || !whole.has(name)) whole.set(name, value);
  return whole;
}

/** What is wrong with parameters, in the reference's words; `undefined` when they fit. */
export function taskMismatch(
  task: TaskSignature,
  given: PuppetHash,
  context: CallContext,
): string | undefined {
  const text =
    task.parameters === undefined ? untypedMismatch(given) : typedMismatch(task.parameters, given, context);
  return text === undefined ? undefined : `Task ${task.name}:\n${text}`;
}

function untypedMismatch(given: PuppetHash): string | undefined {
  const type = parseType('Hash[Pattern[/\\A[a-z][a-z0-9_]*\\z/], Data]');
  return type.isInstance(unwrapped(given)) ? undefined : describeMismatch('', type, inferDetailed(given));
}

function typedMismatch(
  parameters: ReadonlyMap<string, TaskParameter>,
  given: PuppetHash,
  context: CallContext,
): string | undefined {
  const elements = Array.from(parameters, ([name, { type: text }]) => {
    const type = context.resolveType(text);
    return new StructElement(name, type, type.isAssignable(UndefType.DEFAULT));
  });
  const message = describeParameters({ subject: '', parameters: new StructType(elements), given });
  return message?.replace(/^:\n?/, '').replace(/^ {2}/gm, ' ');
}

/** As JSON. @returns with the names of the sensitive ones */
export function jsonParameters(
  task: TaskSignature,
  given: PuppetHash,
): { readonly parameters: JsonObject; readonly sensitive: readonly string[] } {
  const sensitive = [...given].flatMap(([key, value]) => {
    const name = plainText(key);
    const isSensitive = holdsSensitive(value) || task.parameters?.get(name)?.isSensitive === true;
    return isSensitive ? [name] : [];
  });
  const entries = [...given].map(([key, value]) => [plainText(key), jsonOfData(unwrapped(value))] as const);
  return { parameters: Object.fromEntries(entries), sensitive };
}

function holdsSensitive(value: Value): boolean {
  if (value instanceof SensitiveValue) return true;
  if (value instanceof PuppetHash) return [...value.values()].some(holdsSensitive);
  return Array.isArray(value) && value.some(holdsSensitive);
}

function unwrapped(value: Value): Value {
  if (value instanceof SensitiveValue) return unwrapped(value.unwrap());
  if (value instanceof PuppetHash)
    return new PuppetHash([...value].map(([key, item]) => [key, unwrapped(item)] as const));
  return Array.isArray(value) ? value.map(unwrapped) : value;
}
