/** Keys of hashes that are known without evaluation. */

import type { Expression, KeyedEntry } from './ast.ts';

/** A literal: what tells it from others, how messages show it, and how they show it inside a collection. */
export interface LiteralKey {
  readonly identity: string;
  readonly text: string;
  readonly inspected: string;
}

/** The literal that an expression is, `undefined` when it takes evaluation to know. Names are strings. */
export function literalKey(node: Expression): LiteralKey | undefined {
  switch (node.kind) {
    case 'LiteralString':
    case 'QualifiedName':
      return stringKey(node.value);
    case 'LiteralInteger':
      return scalarKey('integer', `${node.value}`);
    case 'LiteralFloat':
      return scalarKey('float', Number.isInteger(node.value) ? `${node.value}.0` : `${node.value}`);
    case 'LiteralBoolean':
      return scalarKey('boolean', `${node.value}`);
    case 'LiteralUndef':
      return { identity: 'undef', text: '', inspected: 'nil' };
    case 'LiteralDefault':
      return { identity: 'default', text: 'default', inspected: ':default' };
    case 'LiteralRegularExpression':
      return { identity: `/${node.source}/`, text: `(?-mix:${node.source})`, inspected: `/${node.source}/` };
    case 'LiteralList':
      return combined('[', node.values.map(literalKey), ']');
    case 'LiteralHash':
      return combined('{', node.entries.map(entryKey), '}');
    default:
      return undefined;
  }
}

function stringKey(value: string): LiteralKey {
  return { identity: `string ${JSON.stringify(value)}`, text: value, inspected: JSON.stringify(value) };
}

function scalarKey(type: string, text: string): LiteralKey {
  return { identity: `${type} ${text}`, text, inspected: text };
}

function entryKey({ key, value }: KeyedEntry): LiteralKey | undefined {
  const left = literalKey(key);
  const right = literalKey(value);
  if (left === undefined || right === undefined) return undefined;
  const inspected = `${left.inspected}=>${right.inspected}`;
  return { identity: `${left.identity}=>${right.identity}`, text: inspected, inspected };
}

function combined(
  open: string,
  parts: readonly (LiteralKey | undefined)[],
  close: string,
): LiteralKey | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length !== parts.length) return undefined;
  const inspected = `${open}${known.map((part) => part.inspected).join(', ')}${close}`;
  return {
    identity: `${open}${known.map((part) => part.identity).join(',')}${close}`,
    text: inspected,
    inspected,
  };
}
