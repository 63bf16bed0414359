/** Fields of prism's nodes as they are read here: checked at the moment of reading. */

import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { giveUp } from '../signals.ts';

type Fields = Readonly<Record<string, unknown>>;

export function field(node: RubyNode, name: string): RubyNode | undefined {
  const value = (node as unknown as Fields)[name];
  return isNode(value) ? value : undefined;
}

export function needed(node: RubyNode, name: string): RubyNode {
  return field(node, name) ?? giveUp(`${node.kind} without ${name}`);
}

export function list(node: RubyNode, name: string): readonly RubyNode[] {
  const value = (node as unknown as Fields)[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function names(node: RubyNode, name: string): readonly string[] {
  const value = (node as unknown as Fields)[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function textOf(node: RubyNode, name: string): string {
  const value = (node as unknown as Fields)[name];
  return typeof value === 'string' ? value : giveUp(`${node.kind} without ${name}`);
}

export function numberOf(node: RubyNode, name: string): number {
  const value = (node as unknown as Fields)[name];
  return typeof value === 'number' ? value : 0;
}

export function raw(node: RubyNode, name: string): unknown {
  return (node as unknown as Fields)[name];
}

/** The only statement of a group. */
export function onlyStatement(node: RubyNode | undefined): RubyNode | undefined {
  const body = isRubyNode(node, 'ParenthesesNode') ? node.body : node;
  if (!isRubyNode(body, 'StatementsNode')) return undefined;
  return body.body.length === 1 ? body.body[0] : undefined;
}

/** `A::B` or `::A::B` as text without colons in front; `undefined` for other nodes. */
export function constantName(node: RubyNode | null | undefined): string | undefined {
  if (isRubyNode(node, 'ConstantReadNode')) return node.name;
  if (!isRubyNode(node, 'ConstantPathNode')) return undefined;
  if (node.parent === null) return node.name;
  const parent = constantName(node.parent);
  return parent === undefined ? undefined : `${parent}::${node.name}`;
}

function isNode(value: unknown): value is RubyNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
