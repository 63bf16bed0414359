import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { parseExpression } from '../../syntax/index.ts';
import { AliasType, NO_ALIASES, parameterizeType, parseType, TypeParameterError } from '../index.ts';
import { interpretExpression, typeContext } from './interpret.ts';
import { findBuiltinType } from './named-types.ts';

interface Snippet {
  readonly code: string;
  readonly text?: string;
  readonly error?: string;
}
const file = new URL('../recorded/snippets.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly Snippet[]>>;

function answer(code: string): Omit<Snippet, 'code'> {
  const access = parseExpression(code);
  if (access.kind !== 'AccessExpression' || access.left.kind !== 'QualifiedReference') throw new Error(code);
  const type = findBuiltinType(access.left.value);
  if (type === undefined) throw new Error(`unknown type in ${code}`);
  const keys = access.keys.map((key) => interpretExpression(key, typeContext(code, NO_ALIASES)));
  try {
    return { text: parameterizeType(type, keys, NO_ALIASES).toString() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

describe('type parameters', () => {
  const plain = (recorded['parameters'] ?? []).filter(({ code }) => !/[A-Z]\w+\('|File\[/.test(code));

  it.each(plain)('does with $code what Puppet does', ({ code, text, error }) => {
    expect(answer(code)).toEqual(error === undefined ? { text } : { error });
  });

  it('says which parameter is to blame', () => {
    try {
      parameterizeType(parseType('Integer'), [1, 'x'], NO_ALIASES);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(TypeParameterError);
      expect(error).toMatchObject({ keyIndex: 1 });
    }
  });
});

describe('aliases', () => {
  it('may refer to themselves', () => {
    const tree: AliasType = new AliasType('Tree', () =>
      parseType('Hash[String, Variant[Integer, Tree]]', resolver),
    );
    const resolver = { findAlias: () => tree };

    expect(tree.toString()).toBe('Tree = Hash[String, Variant[Integer, Tree]]');
    expect(tree.isAssignable(parseType('Hash[String, Hash[String, Integer]]'))).toBe(true);
    expect(tree.isAssignable(parseType('Hash[String, Hash[String, Float]]'))).toBe(false);
  });

  it('must stand for something', () => {
    const loop: AliasType = new AliasType('Loop', () => loop);

    expect(() => loop.isInstance(1)).toThrow("Type alias 'Loop' cannot be resolved to a real type");
  });

  it('leaves out the alias itself where it adds nothing', () => {
    const self: AliasType = new AliasType('Self', () =>
      parseType('Variant[Integer, Self]', { findAlias: () => self }),
    );

    expect(self.isInstance(1)).toBe(true);
    expect(self.isInstance('a')).toBe(false);
  });
});
