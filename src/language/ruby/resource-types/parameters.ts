/** Arguments become variables. */

import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { Frame } from './frame.ts';
import type { Interpreter } from './interpreter.ts';
import { Unmodelled } from './unmodelled.ts';
import { option, RubyHash, RubySymbol, Unknown, type Value } from './values.ts';

interface Binding {
  /** Its variables are set. */
  readonly frame: Frame;
  readonly interpreter: Interpreter;
  /** Blocks take too many and too few arguments, and open a single array. */
  readonly isLenient: boolean;
}

export function bindParameters(node: RubyNode | null, args: readonly Value[], binding: Binding): void {
  if (node === null) {
    if (args.length > 0 && !binding.isLenient) throw new Unmodelled('a wrong number of arguments');
    return;
  }
  if (isRubyNode(node, 'BlockParametersNode')) {
    for (const local of node.locals)
      if (isRubyNode(local, 'BlockLocalVariableNode')) binding.frame.locals.declare(local.name, null);
    return bindParameters(node.parameters, args, binding);
  }
  if (!isRubyNode(node, 'ParametersNode')) throw new Unmodelled(`parameters of the kind ${node.kind}`);
  const { requireds, optionals, rest, posts } = node;
  const takesSeveral = requireds.length + optionals.length + posts.length + (rest === null ? 0 : 1) > 1;
  const [only] = args;
  const opened =
    binding.isLenient && takesSeveral && args.length === 1 && Array.isArray(only) ? [...only] : [...args];
  const positional = bindKeywords(node, opened, binding);
  bindPositional(node, positional, binding);
  if (isRubyNode(node.block, 'BlockParameterNode') && node.block.name !== null) {
    binding.frame.locals.declare(node.block.name, binding.frame.block ?? null);
  }
}

function bindPositional(
  { requireds, optionals, rest, posts }: RubyNodeOf<'ParametersNode'>,
  args: Value[],
  binding: Binding,
): void {
  const needed = requireds.length + posts.length;
  const isTooMany = args.length > needed + optionals.length && rest === null;
  if (!binding.isLenient && (args.length < needed || isTooMany)) {
    throw new Unmodelled('a wrong number of arguments');
  }
  const { locals } = binding.frame;
  for (const parameter of requireds) bindTarget(parameter, args.shift() ?? null, binding);
  for (const parameter of optionals) {
    if (!isRubyNode(parameter, 'OptionalParameterNode')) throw new Unmodelled(parameter.kind);
    const given = args.length > posts.length ? args.shift() : undefined;
    locals.declare(parameter.name, given ?? binding.interpreter.evaluate(parameter.value, binding.frame));
  }
  if (rest !== null) {
    const taken = args.splice(0, Math.max(0, args.length - posts.length));
    if (isRubyNode(rest, 'RestParameterNode') && rest.name !== null) locals.declare(rest.name, taken);
  }
  for (const parameter of posts) bindTarget(parameter, args.shift() ?? null, binding);
}

function bindTarget(parameter: RubyNode, value: Value, binding: Binding): void {
  if (isRubyNode(parameter, 'RequiredParameterNode')) {
    binding.frame.locals.declare(parameter.name, value);
    return;
  }
  if (!isRubyNode(parameter, 'MultiTargetNode') || parameter.rest !== null || parameter.rights.length > 0) {
    throw new Unmodelled(`a parameter of the kind ${parameter.kind}`);
  }
  if (value instanceof Unknown) throw new Unmodelled(`parts of ${value.what}`);
  const parts = Array.isArray(value) ? value : [value];
  for (const [index, part] of parameter.lefts.entries()) bindTarget(part, parts[index] ?? null, binding);
}

/** Takes the last hash for keywords where the method has any. @returns the arguments that are left */
function bindKeywords(node: RubyNodeOf<'ParametersNode'>, args: Value[], binding: Binding): Value[] {
  if (node.keywords.length === 0 && node.keywordRest === null) return args;
  if (node.keywordRest !== null) throw new Unmodelled('keyword parameters of any name');
  const last = args.at(-1);
  const given = last instanceof RubyHash ? last : new RubyHash();
  for (const keyword of node.keywords) {
    if (isRubyNode(keyword, 'OptionalKeywordParameterNode')) {
      const value = given.has(new RubySymbol(keyword.name))
        ? option(given, keyword.name)
        : binding.interpreter.evaluate(keyword.value, binding.frame);
      binding.frame.locals.declare(keyword.name, value);
    } else if (isRubyNode(keyword, 'RequiredKeywordParameterNode')) {
      binding.frame.locals.declare(keyword.name, option(given, keyword.name));
    }
  }
  return last instanceof RubyHash ? args.slice(0, -1) : args;
}
