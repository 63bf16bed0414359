/** Functions of the older kind (3.x): they count their arguments only, and see some values as strings. */

import {
  BinaryValue,
  ClassType,
  capitalizeSegments,
  fault,
  IteratorValue,
  isArray,
  PuppetHash,
  RegexpValue,
  ResourceType,
  SemVerRangeValue,
  SemVerValue,
  stringify,
  TimespanValue,
  TimestampValue,
  type Value,
} from '../pcore/index.ts';
import { type BuiltinFunction, type CallContext, defineFunction } from './function.ts';

export interface LegacyFunction {
  readonly name: string;
  /** The exact number of arguments; `-n - 1` for at least `n`. */
  readonly arity: number;
  /** True for statements: they have no result. */
  readonly isStatement?: boolean;
  readonly bytes?: NonNullable<BuiltinFunction['bytes']>;
  readonly call: (context: CallContext, args: readonly Value[]) => Value;
}

/** A function of the older kind: arguments are counted, then turned into what such functions know. */
export function defineLegacyFunction(legacy: LegacyFunction): BuiltinFunction {
  const { name, arity, isStatement = false, bytes } = legacy;
  return defineFunction({
    name,
    isStatement,
    ...(bytes === undefined ? {} : { bytes }),
    dispatches: [
      {
        parameters: [{ type: 'Any', name: 'args', arity: 'repeated' }],
        // A block is not refused, but ignored.
        block: { isOptional: true },
        call: (context, args) => {
          checkCount(name, arity, args.length);
          const result = legacy.call(context, args.map(legacyArgument));
          return isStatement ? null : result;
        },
      },
    ],
  });
}

function checkCount(name: string, arity: number, count: number): void {
  if (arity >= 0 && count !== arity)
    throw fault(`${name}(): Wrong number of arguments given (${count} for ${arity})`);
  if (arity < 0 && count < -arity - 1)
    throw fault(`${name}(): Wrong number of arguments given (${count} for minimum ${-arity - 1})`);
}

/** An argument as functions of the older kind get it: undef is the empty string, newer values are strings. */
export function legacyArgument(value: Value): Value {
  return value === null ? '' : legacyValue(value);
}

function legacyValue(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return value.map(legacyValue);
  if (value instanceof PuppetHash)
    return new PuppetHash([...value].map(([key, item]) => [legacyValue(key), legacyValue(item)] as const));
  if (value instanceof RegexpValue) return value.toLiteral();
  if (value instanceof IteratorValue) throw fault('Use of an Iterator is not supported here');
  return isTextToLegacy(value) ? stringify(value) : value;
}

function isTextToLegacy(value: Value): boolean {
  return (
    value instanceof SemVerValue ||
    value instanceof SemVerRangeValue ||
    value instanceof BinaryValue ||
    value instanceof TimespanValue ||
    value instanceof TimestampValue
  );
}

/**
 * A reference to a resource as functions of the older kind print it: `File[/a]`, `Class[Apache::Ssl]`, without
 * quotes. Other values as they are.
 */
export function referenceText(value: Value): Value {
  if (value instanceof ClassType && value.className !== undefined)
    return `Class[${capitalizeSegments(value.className)}]`;
  if (value instanceof ResourceType && value.typeName !== undefined && value.title !== undefined)
    return `${value.typeName}[${value.title}]`;
  return value;
}
