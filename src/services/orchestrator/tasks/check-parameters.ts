/** Parameters of a task against what its metadata says of them. Loaded when the first task is run: it takes the type system. */

import {
  AnyType,
  describeParameters,
  Float,
  isArray,
  PuppetHash,
  type PuppetType,
  parseType,
  StructElement,
  StructType,
  type TypeResolver,
  type Value,
} from '../../../language/pcore/index.ts';
import type { Json } from '../../../lib/json.ts';
import type { DeclaredParameter } from './task-metadata.ts';

/**
 * @param declared - every parameter that the task takes
 * @returns everything that is wrong, in the words of Puppet; `undefined` when all is well
 */
export function describeMistakes(
  task: string,
  declared: ReadonlyMap<string, DeclaredParameter>,
  given: Readonly<Record<string, Json>>,
): string | undefined {
  const elements = Array.from(declared, ([name, { hasDefault, type }]) => {
    const parsed = typeOf(type);
    return new StructElement(name, parsed, hasDefault || isUndefAllowed(parsed));
  });
  return describeParameters({
    subject: `Task[${task}]`,
    parameters: new StructType(elements),
    given: hashOf(given),
  });
}

/** Aliases of modules are not known here: what they allow is for the task to check. */
const anyAlias: TypeResolver = { findAlias: () => AnyType.DEFAULT };

function typeOf(text: string): PuppetType {
  try {
    return parseType(text, anyAlias);
  } catch {
    return AnyType.DEFAULT;
  }
}

function isUndefAllowed(type: PuppetType): boolean {
  return type.isInstance(null);
}

function hashOf(values: Readonly<Record<string, Json>>): PuppetHash {
  return new PuppetHash(Object.entries(values).map(([key, value]) => [key, valueOf(value)] as const));
}

function valueOf(json: Json): Value {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json : new Float(json);
  if (json === null || typeof json !== 'object') return json;
  return isList(json) ? json.map(valueOf) : hashOf(json);
}

function isList(json: Json): json is readonly Json[] {
  return isArray(json as Value);
}
