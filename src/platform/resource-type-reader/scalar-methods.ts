/** Methods of numbers, `nil`, regular expressions, versions and paths. */

import type { ValueMethod } from './calls.ts';
import { directoryName, joinPaths, resolvePath } from './ruby-paths.ts';
import { GemVersion, RubyPath, RubyRegexp, textOf, type Value } from './values.ts';

export const scalarMethods: Readonly<Record<string, ValueMethod<Value>>> = {
  to_s: (value) =>
    value instanceof RubyRegexp || value instanceof RubyPath || !isObject(value) ? textOf(value) : undefined,
  to_i: (value) => (typeof value === 'number' ? Math.trunc(value) : value === null ? 0 : undefined),
  to_a: (value) => (value === null ? [] : undefined),
  'nil?': (value) => value === null,
  source: (value) => (value instanceof RubyRegexp ? value.source : undefined),
  freeze: (value) => value,
  '+': (value, { args: [other] }) => {
    if (value instanceof RubyPath) return new RubyPath(cleanJoin(value.path, textOf(other ?? null)));
    return typeof value === 'number' && typeof other === 'number' ? value + other : undefined;
  },
  '-': (value, { args: [other] }) =>
    typeof value === 'number' && typeof other === 'number' ? value - other : undefined,
  '/': (value, { args: [other] }) =>
    value instanceof RubyPath ? new RubyPath(cleanJoin(value.path, textOf(other ?? null))) : undefined,
  join: (value, { args }) =>
    value instanceof RubyPath ? new RubyPath(joinPaths([value.path, ...args.map(textOf)])) : undefined,
  dirname: (value) => (value instanceof RubyPath ? new RubyPath(directoryName(value.path)) : undefined),
  parent: (value) => (value instanceof RubyPath ? new RubyPath(directoryName(value.path)) : undefined),
  expand_path: (value) =>
    value instanceof RubyPath ? new RubyPath(resolvePath('/', value.path)) : undefined,
  realpath: (value) => (value instanceof RubyPath ? value : undefined),
  'negative?': (value) => (typeof value === 'number' ? value < 0 : undefined),
  'positive?': (value) => (typeof value === 'number' ? value > 0 : undefined),
  'zero?': (value) => (typeof value === 'number' ? value === 0 : undefined),
  '<': (value, { args }) => ordered(value, args, (order) => order < 0),
  '<=': (value, { args }) => ordered(value, args, (order) => order <= 0),
  '>': (value, { args }) => ordered(value, args, (order) => order > 0),
  '>=': (value, { args }) => ordered(value, args, (order) => order >= 0),
  times: (value, { block, interpreter }) =>
    typeof value === 'number' && block !== undefined
      ? interpreter.iterate(
          Array.from({ length: value }, (_, index) => [index]),
          block,
          value,
        )
      : undefined,
};

function isObject(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function cleanJoin(base: string, path: string): string {
  return resolvePath(base, path);
}

function ordered(value: Value, [other]: readonly Value[], is: (order: number) => boolean): Value | undefined {
  if (typeof value === 'number' && typeof other === 'number') return is(value - other);
  if (!(value instanceof GemVersion)) return undefined;
  const right = typeof other === 'string' && /^\d+(\.\d+)*$/.test(other) ? new GemVersion(other) : other;
  return right instanceof GemVersion ? is(value.compare(right)) : undefined;
}
