import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { isArray, type Value } from '../../pcore/index.ts';
import { at } from '../arguments.ts';
import { callMethod, methodsNamed } from '../methods/index.ts';
import type { Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { type Block, RubyProc, RubySymbol } from '../values/ruby-values.ts';
import { catching } from './controls.ts';
import type { JumpTarget, Lowering } from './lowering.ts';
import { field, list, needed, textOf } from './node.ts';
import { local, restOf, targetOf } from './variables.ts';

export interface LoweredBlock {
  readonly make: (run: Run) => Block | undefined;
  readonly hasBreak: boolean;
}

export type Bind = (run: Run, values: readonly Value[]) => void;

/** `{ |parameters| ... }`, `&:name` or `&block`. */
export function lowerBlock(node: RubyNode, lowering: Lowering): LoweredBlock {
  if (isRubyNode(node, 'BlockArgumentNode')) return passedBlock(node.expression, lowering);
  if (!isRubyNode(node, 'BlockNode')) return giveUp(node.kind);
  const { result, slots } = lowering.within(node, () => {
    const parameters = blockParameters(parametersOf(node.parameters), lowering);
    const body = lowering.targeted('block', () => lowering.lowerOptional(node.body));
    return { ...parameters, ...body };
  });
  const bound = assembled(result, slots);
  return { make: bound, hasBreak: result.target.uses.has('break') };
}

interface Parts {
  readonly bind: Bind;
  readonly takesOne: boolean;
  readonly result: (run: Run) => Value;
  readonly target: JumpTarget;
}

function assembled({ bind, result, takesOne, target }: Parts, slots: readonly number[]): (run: Run) => Block {
  const body = target.uses.has('next') ? catching('next', result) : result;
  return (run) => {
    const yieldAll = (values: readonly Value[]): Value => {
      for (const slot of slots) run.locals[slot] = null;
      bind(run, values);
      return body(run);
    };
    const spread = (value: Value) => yieldAll(value !== null && isArray(value) ? value : [value]);
    return { takesOne, yieldAll, yield: takesOne ? (value) => yieldAll([value]) : spread };
  };
}

function passedBlock(expression: RubyNode | null, lowering: Lowering): LoweredBlock {
  if (expression === null) return giveUp('a block that is passed on');
  if (isRubyNode(expression, 'SymbolNode')) {
    const name = expression.unescaped;
    return { make: (run) => symbolBlock(name, run), hasBreak: false };
  }
  const value = lowering.lower(expression);
  return { make: (run) => blockFrom(value(run), run), hasBreak: false };
}

function blockFrom(value: Value, run: Run): Block | undefined {
  if (value === null) return undefined;
  if (value instanceof RubySymbol) return symbolBlock(value.name, run);
  return value instanceof RubyProc ? value : giveUp('a block argument that is no proc');
}

function symbolBlock(name: string, run: Run): Block {
  if (methodsNamed(name) === undefined) giveUp(`the method ${name}`);
  return {
    takesOne: true,
    yield: (value) => callMethod(value, name, [], run),
    yieldAll: ([value = null, ...rest]) => callMethod(value, name, rest, run),
  };
}

function parametersOf(node: RubyNode | null): RubyNode | undefined {
  if (node === null) return undefined;
  if (!isRubyNode(node, 'BlockParametersNode')) return giveUp(node.kind);
  return node.parameters ?? undefined;
}

/** Parameters of a block; `undefined` where there are none. */
export function blockParameters(
  parameters: RubyNode | undefined,
  lowering: Lowering,
): { readonly bind: Bind; readonly takesOne: boolean } {
  if (parameters === undefined) return { bind: () => undefined, takesOne: true };
  return { bind: binding(parameters, lowering), takesOne: takesOne(parameters) };
}

function takesOne(parameters: RubyNode): boolean {
  const count = list(parameters, 'requireds').length;
  const rest = field(parameters, 'rest');
  return count === 0 || (count === 1 && rest === undefined);
}

/** Parameters of a block: missing values are nil, others are dropped. */
function binding(parameters: RubyNode, lowering: Lowering): Bind {
  assertSimple(parameters, ['optionals', 'posts', 'keywords'], ['keywordRest', 'block']);
  const targets = list(parameters, 'requireds').map((target) => targetOf(target, lowering));
  const rest = restOf(field(parameters, 'rest'), lowering);
  const [only] = targets;
  if (targets.length === 1 && rest === undefined && only !== undefined)
    return (run, values) => {
      only(run, at(values, 0));
    };
  return (run, values) => {
    targets.forEach((write, index) => {
      write(run, at(values, index));
    });
    rest?.(run, run.own(values.slice(targets.length)));
  };
}

/** Parameters of a method: the caller checks their number. */
export function methodParameters(
  parameters: RubyNode,
  lowering: Lowering,
): { readonly min: number; readonly max: number; readonly bind: Bind } {
  assertSimple(parameters, ['posts', 'keywords'], ['keywordRest', 'block']);
  const required = list(parameters, 'requireds').map((parameter) => {
    textOf(parameter, 'name');
    return { write: local(parameter, lowering).write, otherwise: NO_VALUE };
  });
  const optional = list(parameters, 'optionals').map((parameter) => ({
    write: local(parameter, lowering).write,
    otherwise: lowering.lower(needed(parameter, 'value')),
  }));
  const named = [...required, ...optional];
  const restNode = field(parameters, 'rest');
  const rest = restOf(restNode, lowering);
  return {
    min: required.length,
    max: restNode === undefined ? named.length : Infinity,
    bind: (run, values) => {
      named.forEach(({ otherwise, write }, index) => {
        write(run, index < values.length ? at(values, index) : otherwise(run));
      });
      rest?.(run, run.own(values.slice(named.length)));
    },
  };
}

const NO_VALUE = (): Value => null;

function assertSimple(parameters: RubyNode, lists: readonly string[], fields: readonly string[]): void {
  if (lists.some((name) => list(parameters, name).length > 0)) giveUp('such parameters');
  if (fields.some((name) => field(parameters, name) !== undefined)) giveUp('such parameters');
}
