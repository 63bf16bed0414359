/** Bodies of methods, and of the blocks that are methods in functions of the older kind. */

import { descendantsOf, isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { Value } from '../../pcore/index.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { methodParameters } from './blocks.ts';
import { catching } from './controls.ts';
import type { Lowering } from './lowering.ts';
import { field, list } from './node.ts';

/** Of calls within each other; what goes deeper is left to Ruby. */
export const MAX_DEPTH = 200;

export type RubyMethod = (run: Run, args: readonly Value[]) => Value;

export function definedMethods(root: RubyNode): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of descendantsOf(root)) if (isRubyNode(node, 'DefNode')) found.add(node.name);
  return found;
}

/** @throws GiveUp for parameters that are not modelled */
export function lowerMethod(node: RubyNodeOf<'DefNode'>, lowering: Lowering): RubyMethod {
  return lowerBody(node, node.parameters ?? undefined, node.name, lowering);
}

/** `newfunction(:name) do |args| ... end` */
export function lowerLegacyBlock(node: RubyNodeOf<'BlockNode'>, lowering: Lowering): RubyMethod {
  const parameters = node.parameters === null ? undefined : field(node.parameters, 'parameters');
  return lowerBody(node, parameters, 'the function', lowering);
}

function lowerBody(
  node: RubyNodeOf<'BlockNode'> | RubyNodeOf<'DefNode'>,
  declared: RubyNode | undefined,
  name: string,
  lowering: Lowering,
): RubyMethod {
  const { result, slots } = lowering.inMethod(node, () => {
    const parameters = declared === undefined ? NO_PARAMETERS : methodParameters(declared, lowering);
    return { parameters, body: lowering.targeted('method', () => lowerTail(node.body, lowering)) };
  });
  const { body, parameters } = result;
  const code = body.target.uses.has('return') ? catching('return', body.result) : body.result;
  return (run, args) => {
    if (args.length < parameters.min || args.length > parameters.max)
      return giveUp(`${name} with ${args.length} arguments`);
    const outer = run.locals;
    run.locals = slots.map(() => null);
    run.depth += 1;
    if (run.depth > MAX_DEPTH) giveUp('deep recursion');
    try {
      parameters.bind(run, args);
      return code(run);
    } finally {
      run.depth -= 1;
      run.locals = outer;
    }
  };
}

const NO_PARAMETERS: ReturnType<typeof methodParameters> = {
  min: 0,
  max: 0,
  bind: () => {
    // There are none.
  },
};

/** What `return value` at the end of a method is: its value. */
function lowerTail(body: RubyNode | null, lowering: Lowering): Code {
  if (!isRubyNode(body, 'StatementsNode')) return lowering.lowerOptional(body);
  const last = body.body.at(-1);
  const value = last === undefined ? undefined : returned(last);
  if (value === undefined) return lowering.lower(body);
  const before = lowering.lower({ ...body, body: body.body.slice(0, -1) } as RubyNode);
  const code = lowering.lower(value);
  return (run) => {
    before(run);
    return code(run);
  };
}

function returned(node: RubyNode): RubyNode | undefined {
  const given = isRubyNode(node, 'ReturnNode') ? field(node, 'arguments') : undefined;
  const [only, ...more] = given === undefined ? [] : list(given, 'arguments');
  return more.length > 0 || only?.kind === 'SplatNode' ? undefined : only;
}
