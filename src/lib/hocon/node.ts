/** The tree of a HOCON text before its substitutions are resolved. */

import type { HoconValue } from './value.ts';

export type HoconNode = ScalarNode | StringPartNode | ArrayNode | ObjectNode | SubstitutionNode | ConcatNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: Exclude<HoconValue, readonly HoconValue[] | ReadonlyMap<string, HoconValue>>;
  /** As written, which is what concatenation uses. */
  readonly text: string;
}

/** Whitespace between two parts of a concatenation: text among strings, nothing among lists and objects. */
interface StringPartNode {
  readonly kind: 'space';
  readonly text: string;
}

export interface ArrayNode {
  readonly kind: 'array';
  readonly items: readonly HoconNode[];
}

/** For each key its definitions, in order; more than one only where a substitution delays their merge. */
export interface ObjectNode {
  readonly kind: 'object';
  readonly fields: Map<string, HoconNode[]>;
}

export interface SubstitutionNode {
  readonly kind: 'substitution';
  readonly path: readonly string[];
  readonly isOptional: boolean;
  readonly line: number;
}

export interface ConcatNode {
  readonly kind: 'concat';
  readonly parts: readonly HoconNode[];
}

export function objectNode(): ObjectNode {
  return { kind: 'object', fields: new Map() };
}

/** Adds a definition; literal objects under one key are merged at once, so that paths lead through them. */
export function define(target: ObjectNode, path: readonly string[], node: HoconNode): void {
  const [key = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = objectNode();
    define(inner, rest, node);
    return define(target, [key], inner);
  }
  const definitions = target.fields.get(key);
  if (definitions === undefined) {
    target.fields.set(key, [node]);
    return;
  }
  const last = definitions.at(-1);
  if (node.kind === 'object' && last?.kind === 'object') return mergeObject(last, node);
  if (isLiteral(node) && node.kind !== 'object') definitions.length = 0;
  definitions.push(node);
}

export function mergeObject(target: ObjectNode, from: ObjectNode): void {
  for (const [key, definitions] of from.fields) {
    for (const definition of definitions) define(target, [key], definition);
  }
}

function isLiteral(node: HoconNode): boolean {
  return node.kind === 'scalar';
}
