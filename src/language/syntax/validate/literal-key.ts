/** Keys of hashes that are known without evaluation. */

import type { Expression, KeyedEntry } from '../ast.ts';

/** A literal: what tells it from others, how messages show it, and how they show it inside a collection. */
export interface LiteralKey {
  readonly identity: string;
  readonly text: string;
  readonly inspected: string;
}

/**
 * The literal that an expression is, `undefined` when it takes evaluation to know. Names are strings.
 *
 * @param knowsTypes - as the level says: a type counts as its name, with parameters as the list of those alone
 */
export function literalKey(node: Expression, knowsTypes: boolean): LiteralKey | undefined {
  const each = (nodes: readonly Expression[]) => nodes.map((item) => literalKey(item, knowsTypes));
  if (knowsTypes) {
    if (node.kind === 'QualifiedReference') return stringKey(node.value.toLowerCase());
    if (node.kind === 'UnaryMinusExpression') return negative(node.expr);
    if (node.kind === 'AccessExpression') {
      const isSingleList = node.keys.length === 1 && node.keys[0]?.kind === 'LiteralList';
      return isSingleList ? undefined : combined('[', each(node.keys), ']');
    }
  }
  switch (node.kind) {
    case 'LiteralString':
    case 'QualifiedName':
      return stringKey(node.value);
    case 'LiteralInteger':
      return scalarKey('integer', `${node.value}`);
    case 'LiteralFloat':
      return floatKey(node.value);
    case 'LiteralBoolean':
      return scalarKey('boolean', `${node.value}`);
    case 'LiteralUndef':
      return { identity: 'undef', text: '', inspected: 'nil' };
    case 'LiteralDefault':
      return { identity: 'default', text: 'default', inspected: ':default' };
    case 'LiteralRegularExpression':
      return { identity: `/${node.source}/`, text: `(?-mix:${node.source})`, inspected: `/${node.source}/` };
    case 'LiteralList':
      return combined('[', each(node.values), ']');
    case 'LiteralHash':
      return combined(
        '{',
        node.entries.map((entry) => entryKey(entry, knowsTypes)),
        '}',
      );
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

function negative(node: Expression): LiteralKey | undefined {
  if (node.kind === 'LiteralInteger') return scalarKey('integer', `${-node.value}`);
  if (node.kind === 'LiteralFloat') return floatKey(-node.value);
  return undefined;
}

function floatKey(value: number): LiteralKey {
  const text = Object.is(value, -0) ? '-0' : `${value}`;
  return scalarKey('float', Number.isInteger(value) ? `${text}.0` : text);
}

function entryKey({ key, value }: KeyedEntry, knowsTypes: boolean): LiteralKey | undefined {
  const left = literalKey(key, knowsTypes);
  const right = literalKey(value, knowsTypes);
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
