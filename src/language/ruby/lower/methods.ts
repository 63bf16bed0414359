/** Bodies of methods, and of the blocks that are methods in functions of the older kind. */

import { descendantsOf, isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import { LookupContext, NO_SUCH_KEY } from '../../hiera/index.ts';
import type { Value } from '../../pcore/index.ts';
import { isTruthy } from '../arguments.ts';
import { callMethod } from '../methods/index.ts';
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

/** What a method ends with: `return` at the end of a branch that is the end of the method is its value, and no jump. */
function lowerTail(node: RubyNode | null, lowering: Lowering): Code {
  if (isRubyNode(node, 'StatementsNode')) return lowerStatements(node.body, lowering);
  if (isRubyNode(node, 'ElseNode')) return lowerTail(node.statements, lowering);
  if (isRubyNode(node, 'IfNode'))
    return choice(node, lowerTail(node.statements, lowering), lowerTail(node.subsequent, lowering), lowering);
  if (isRubyNode(node, 'UnlessNode'))
    return choice(node, lowerTail(node.statements, lowering), lowerTail(node.elseClause, lowering), lowering);
  const value = isRubyNode(node, 'ReturnNode') ? returned(node) : undefined;
  return value === undefined ? lowerLast(node, lowering) : lowerTail(value, lowering);
}

/** What follows `return value if condition` is the other branch. */
function lowerStatements(statements: readonly RubyNode[], lowering: Lowering): Code {
  const guard = statements.findIndex(isGuard);
  const index = guard === -1 ? statements.length - 1 : guard;
  const statement = statements[index] ?? null;
  const before = statements.slice(0, index).map((one) => lowering.lower(one));
  const last =
    isGuard(statement) && index < statements.length - 1
      ? choice(
          statement,
          lowerTail(statement.statements, lowering),
          lowerStatements(statements.slice(index + 1), lowering),
          lowering,
        )
      : lowerTail(statement, lowering);
  if (before.length === 0) return last;
  return (run) => {
    for (const code of before) code(run);
    return last(run);
  };
}

type Conditional = RubyNodeOf<'IfNode'> | RubyNodeOf<'UnlessNode'>;

function choice({ kind, predicate }: Conditional, yes: Code, no: Code, lowering: Lowering): Code {
  const condition = lowering.lower(predicate);
  const wanted = kind === 'IfNode';
  return (run) => (isTruthy(condition(run)) === wanted ? yes(run) : no(run));
}

/** `return value if condition` */
function isGuard(node: RubyNode | null): node is Conditional {
  const isAlone =
    (isRubyNode(node, 'IfNode') && node.subsequent === null) ||
    (isRubyNode(node, 'UnlessNode') && node.elseClause === null);
  const last = isAlone && node.statements !== null ? list(node.statements, 'body').at(-1) : undefined;
  return isRubyNode(last, 'ReturnNode') && returned(last) !== undefined;
}

function returned(node: RubyNodeOf<'ReturnNode'>): RubyNode | undefined {
  const given = field(node, 'arguments');
  const [only, ...more] = given === undefined ? [] : list(given, 'arguments');
  return more.length > 0 || only?.kind === 'SplatNode' ? undefined : only;
}

/** A backend that knows no key at all but its own says so for nearly all of them: its answer is no exception then. */
function lowerLast(node: RubyNode | null, lowering: Lowering): Code {
  const code = lowering.lowerOptional(node);
  if (lowering.profile.isDispatched !== true || !isRubyNode(node, 'CallNode') || node.name !== 'not_found')
    return code;
  if (node.receiver === null || node.arguments !== null || node.block !== null) return code;
  const receiver = lowering.lower(node.receiver);
  return (run) => {
    if (!run.takesNoSuchKey) return code(run);
    const context = receiver(run);
    if (!(context instanceof LookupContext)) return callMethod(context, 'not_found', [], run);
    run.effects.beforeQuestion();
    return NO_SUCH_KEY;
  };
}
