/**
 * Strings are plain values here, in Ruby they are objects that can be changed. `text << more` becomes an
 * assignment when the difference cannot be seen: when `text` is a local variable that only ever holds strings made on the
 * spot, and whose value never gets anywhere else.
 */

import { childrenOf, isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { constantName, onlyStatement } from './node.ts';
import { outputExpression } from './output.ts';

/** Methods that always make a string (or make nothing of one). */
const MAKERS: ReadonlySet<string> = new Set([
  '+', '*', '%', 'dup', 'join', 'gsub', 'sub', 'upcase', 'downcase', 'capitalize', 'strip', 'chomp', 'inspect', '+@',
]); // biome-ignore format: a table

/** Methods of strings whose results have nothing to do with the receiver afterwards. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...MAKERS, '<<', 'empty?', 'length', 'size', '==', '!=', '=~', 'include?', 'split', 'lines', 'nil?', 'is_a?',
  'start_with?', 'end_with?', 'match', 'scan', 'to_i', '!', 'rstrip', 'lstrip', 'chop', 'tr',
]); // biome-ignore format: a table

// `+@` and `dup` of a plain string are the string: fine for a maker, whose operand is a value of its own.

/** What files say whose literals must not be changed. */
const FROZEN_LITERALS = /^#.*frozen[-_]string[-_]literal\s*:\s*true/im;

/**
 * Names of the local variables whose strings may be changed in place.
 *
 * @param file - the text, which may say something of its literals
 */
export function ownedStrings(root: RubyNode, file = ''): ReadonlySet<string> {
  const found = new Ownership(FROZEN_LITERALS.test(file));
  found.visit(root, undefined);
  return found.names();
}

/** Whether an expression gives a fresh string, if it gives one. */
export function isFreshString(node: RubyNode): boolean {
  const inner = onlyStatement(node) ?? node;
  if (isRubyNode(inner, 'InterpolatedStringNode')) return true;
  if (!isRubyNode(inner, 'CallNode')) return false;
  // Of a string that may be changed, this is the string.
  if (inner.name === '+@') return isRubyNode(inner.receiver, 'StringNode');
  const isJson = inner.name.endsWith('generate') && constantName(inner.receiver) === 'JSON';
  return isJson || (MAKERS.has(inner.name) && inner.receiver !== null);
}

class Ownership {
  private readonly hasFrozenLiterals: boolean;
  private readonly appended = new Set<string>();
  private readonly lost = new Set<string>();

  constructor(hasFrozenLiterals: boolean) {
    this.hasFrozenLiterals = hasFrozenLiterals;
  }

  names(): ReadonlySet<string> {
    return new Set([...this.appended].filter((name) => !this.lost.has(name)));
  }

  visit(node: RubyNode, parent: RubyNode | undefined): void {
    this.judge(node, parent);
    const harmless = harmlessRead(node);
    for (const child of childrenOf(node)) if (child !== harmless) this.visit(child, node);
  }

  private judge(node: RubyNode, parent: RubyNode | undefined): void {
    if (isRubyNode(node, 'LocalVariableWriteNode')) {
      const isFrozen = this.hasFrozenLiterals && isRubyNode(node.value, 'StringNode');
      if (isFrozen || !isMaker(node.value)) this.lost.add(node.name);
    } else if (isRubyNode(node, 'LocalVariableReadNode')) {
      if (isRubyNode(parent, 'CallNode') && parent.receiver === node && HARMLESS.has(parent.name)) {
        if (parent.name === '<<') this.appended.add(node.name);
      } else this.lost.add(node.name);
    } else if (OTHER_WRITES.has(node.kind) && 'name' in node) this.lost.add(String(node.name));
  }
}

const OTHER_WRITES: ReadonlySet<string> = new Set([
  'LocalVariableTargetNode',
  'LocalVariableOrWriteNode',
  'LocalVariableAndWriteNode',
  'RequiredParameterNode',
  'OptionalParameterNode',
  'RestParameterNode',
]);

/** A variable that is only turned into text here: `<%= name %>`, `"#{name}"`. */
function harmlessRead(node: RubyNode): RubyNode | undefined {
  const group = isRubyNode(node, 'EmbeddedStatementsNode') ? node.statements : outputExpression(node);
  const only = onlyStatement(group ?? undefined);
  if (!isRubyNode(only, 'LocalVariableReadNode')) return undefined;
  return isRubyNode(node, 'EmbeddedStatementsNode') ? (node.statements ?? undefined) : argumentsOf(node);
}

function argumentsOf(node: RubyNode): RubyNode | undefined {
  return isRubyNode(node, 'CallNode') ? (node.arguments ?? undefined) : undefined;
}

function isMaker(node: RubyNode): boolean {
  if (isRubyNode(node, 'StringNode') || isRubyNode(node, 'InterpolatedStringNode')) return true;
  return isRubyNode(node, 'CallNode') && MAKERS.has(node.name);
}
