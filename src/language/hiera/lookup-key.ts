/** Keys with dots: `a.b.0`, `"a.b".c`. */

import { isArray, isInteger, PuppetHash, rubyClassName, type Value } from '../pcore/index.ts';
import { LookupArgumentError, LookupError } from './lookup-error.ts';
import type { Trace, TraceLabel } from './trace.ts';

/** A string names a key of a hash, a number an element of an array. */
export type KeySegment = string | number;

const SPECIAL = /['".]/;
const SEGMENTS = /(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)/;

/**
 * Splits a key at its dots. Blanks around segments do not count, those in quotes do.
 *
 * @throws LookupError made by `fail` for a key that cannot be split
 */
export function splitKey(key: string, fail: (problem: string) => LookupError): readonly KeySegment[] {
  if (!SPECIAL.test(key)) return [key];
  const parts = withoutTrailingEmpty(key.split(SEGMENTS));
  if (parts.length === 0) return [key];
  if (parts.shift() !== '' || parts.length === 0) throw fail('Syntax error');
  const segments = parts.filter((part) => part !== '.');
  if (segments.length * 2 !== parts.length + 1) throw fail('Syntax error');
  return segments.map(toSegment);
}

function withoutTrailingEmpty(parts: string[]): string[] {
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

function toSegment(part: string): KeySegment {
  const text = part.trim();
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1);
  return /^:?[+-]?[0-9]+$/.test(text) ? Number.parseInt(text, 10) || 0 : text;
}

export class LookupKey {
  readonly text: string;
  readonly rootKey: string;
  /** The part before the first `::` of the root key. */
  readonly moduleName: string | undefined;
  /** What follows the root key; empty for a plain key. */
  readonly segments: readonly KeySegment[];

  constructor(text: string) {
    const [root = '', ...segments] = splitKey(
      text,
      (problem) => new LookupError(`${problem} in key: '${text}'`),
    );
    this.text = text;
    this.rootKey = String(root);
    const separator = this.rootKey.indexOf('::');
    // Ruby's `[0..-1]` for a key that begins with `::` is the whole key.
    this.moduleName =
      separator === -1 ? undefined : separator === 0 ? this.rootKey : this.rootKey.slice(0, separator);
    this.segments = segments;
  }

  /** The part of `value` that the segments lead to; `undefined` when there is none. */
  dig(value: Value | undefined, trace: Trace | undefined): Value | undefined {
    if (this.segments.length === 0 || value === undefined) return value;
    return subLookup(this.text, this.segments, value, trace);
  }

  /** Wraps a value so that `dig` finds it again. */
  undig(value: Value): Value {
    return this.segments.reduceRight<Value>((inner, segment) => {
      if (typeof segment === 'string') return new PuppetHash([[segment, inner]]);
      const list: Value[] = Array.from({ length: segment }, () => null);
      return [...list, inner];
    }, value);
  }
}

/** Follows segments into a value; `undefined` when one of them is missing. @throws LookupError on a wrong kind of value */
export function subLookup(
  key: string,
  segments: readonly KeySegment[],
  value: Value,
  trace: Trace | undefined,
): Value | undefined {
  const follow = (): Value | undefined => {
    let current: Value | undefined = value;
    for (const segment of segments) {
      const holder: Value = current;
      current = within(trace, { kind: 'segment' }, () => step(key, segment, holder, trace));
      if (current === undefined) return undefined;
    }
    return current;
  };
  return within(trace, { kind: 'sub-key', segments }, follow);
}

function within<T>(trace: Trace | undefined, label: TraceLabel, run: () => T): T {
  return trace === undefined ? run() : trace.within(label, run);
}

function step(key: string, segment: KeySegment, value: Value, trace: Trace | undefined): Value | undefined {
  const found = access(key, segment, value);
  if (found === undefined) trace?.notFound(String(segment));
  else trace?.found(String(segment), found);
  return found;
}

function access(key: string, segment: KeySegment, value: Value): Value | undefined {
  if (value === null) return undefined;
  if (typeof segment === 'number' && isArray(value)) return segment < 0 ? undefined : value[segment];
  if (value instanceof PuppetHash) return value.get(segment);
  // Ruby's Integer answers to `[]`, but not to `include?`.
  if (isInteger(value)) throw new LookupArgumentError(`undefined method \`include?' for ${value}:Integer`);
  throw new LookupError(
    `Data Provider type mismatch: Got ${rubyClassName(value)} when a hash-like object was expected to access value using '${segment}' from key '${key}'`,
  );
}
