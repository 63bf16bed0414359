import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { list } from './node.ts';

export const OUTPUT = '_erbout';

/** What `<%= expression %>` became: `_erbout.<<((expression).to_s)`; the parentheses of the expression. */
export function outputExpression(node: RubyNode): RubyNode | undefined {
  const value = outputArgument(node);
  if (!isRubyNode(value, 'CallNode') || value.name !== 'to_s' || value.arguments !== null) return undefined;
  return isRubyNode(value.receiver, 'ParenthesesNode') ? value.receiver : undefined;
}

/** What is appended to the output. */
export function outputArgument(node: RubyNode): RubyNode | undefined {
  if (!isRubyNode(node, 'CallNode') || node.name !== '<<' || node.block !== null) return undefined;
  const isOutput = isRubyNode(node.receiver, 'LocalVariableReadNode') && node.receiver.name === OUTPUT;
  return isOutput && node.arguments !== null ? list(node.arguments, 'arguments')[0] : undefined;
}
