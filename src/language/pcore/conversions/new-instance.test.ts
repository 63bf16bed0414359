import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { parseExpression } from '../../syntax/index.ts';
import {
  equals,
  inferDetailed,
  newInstance,
  ObjectType,
  PuppetHash,
  parseType,
  ResourceType,
  stringify,
  TimestampValue,
  type TypeResolver,
  type Value,
} from '../index.ts';
import { interpretExpression, resolveTypeExpression, typeContext } from '../resolution/interpret.ts';

interface Snippet {
  readonly code: string;
  readonly text?: string;
  readonly type?: string;
  readonly error?: string;
}
const file = new URL('../recorded/snippets.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly Snippet[]>>;
const context = { now: () => 1000 };
const resolver: TypeResolver = {
  findAlias: (name) => (name === 'File' ? new ResourceType('File') : undefined),
};

/** `Type(literals)` */
function evaluate(code: string): Value {
  const call = parseExpression(code);
  if (call.kind !== 'CallNamedFunctionExpression') throw new Error(`no call: ${code}`);
  const types = typeContext(code, resolver);
  const args = call.args.map((arg) => interpretExpression(arg, types));
  return newInstance(resolveTypeExpression(call.functorExpr, types), args, context);
}

function answer(code: string): Omit<Snippet, 'code'> {
  try {
    const value = evaluate(code);
    if (typeof value === 'string') return { text: value };
    return { text: stringify(value), type: inferDetailed(value).toString() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

describe('new', () => {
  it.each(recorded['conversions'] ?? [])('makes what Puppet makes of $code', ({ code, ...expected }) => {
    expect(answer(code)).toEqual(expected);
  });

  it.each(recorded['formats'] ?? [])('formats as Puppet does in $code', ({ code, ...expected }) => {
    expect(answer(code)).toEqual(expected);
  });

  it('gives the present as a Timestamp from the clock that it is given', () => {
    expect(newInstance(parseType('Timestamp'), [], context)).toEqual(TimestampValue.fromSeconds(1));
  });

  it('makes objects from attributes in order, and from a hash', () => {
    const attributes = PuppetHash.from({
      a: parseType('Integer'),
      b: PuppetHash.from({ type: parseType('String'), value: 'x' }),
    });
    const type = new ObjectType('My::Pair', () => PuppetHash.from({ attributes }));

    const inOrder = newInstance(type, [1], context);
    const fromHash = newInstance(type, [PuppetHash.from({ a: 1, b: 'x' })], context);

    expect(stringify(inOrder)).toBe("My::Pair({'a' => 1})");
    expect(equals(inOrder, fromHash)).toBe(true);
    expect(() => newInstance(type, ['z'], context)).toThrow(
      "parameter 'a' expects an Integer value, got String",
    );
  });
});
