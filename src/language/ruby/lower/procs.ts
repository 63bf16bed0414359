/** `proc { ... }`, `lambda { ... }` and `->(x) { ... }`: blocks that are values, and may call themselves. */

import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import type { Value } from '../../pcore/index.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { type Block, RubyProc } from '../values/ruby-values.ts';
import { type Bind, blockParameters, methodParameters } from './blocks.ts';
import { catching } from './controls.ts';
import type { Lowering } from './lowering.ts';
import { MAX_DEPTH } from './methods.ts';
import { constantName, field } from './node.ts';

type ProcNode = RubyNodeOf<'BlockNode'> | RubyNodeOf<'LambdaNode'>;

/** The calls that make procs; `undefined` for other calls. */
export function procCall(node: RubyNodeOf<'CallNode'>, lowering: Lowering): Code | undefined {
  const isConstructor = constantName(node.receiver) === 'Proc' && node.name === 'new';
  const isFunction = node.receiver === null && (node.name === 'proc' || node.name === 'lambda');
  if (!isConstructor && !isFunction) return undefined;
  if (node.arguments !== null || !isRubyNode(node.block, 'BlockNode')) return undefined;
  return lowerProc(node.block, node.name === 'lambda', lowering);
}

interface Parts {
  readonly bind: Bind;
  readonly code: Code;
  readonly takesOne: boolean;
}

export function lowerProc(node: ProcNode, isLambda: boolean, lowering: Lowering): (run: Run) => RubyProc {
  const { end, result, slots, start } = lowering.within(
    node,
    () => (isLambda ? lambdaParts(node, lowering) : procParts(node, lowering)),
    true,
  );
  return (run) => {
    const { locals } = run;
    const yieldAll = (values: readonly Value[]): Value => {
      const outer = run.locals;
      // It may be running already: what it has in its variables there is needed again.
      const kept = locals.slice(start, end);
      run.locals = locals;
      run.depth += 1;
      if (run.depth > MAX_DEPTH) giveUp('deep recursion');
      try {
        for (const slot of slots) locals[slot] = null;
        result.bind(run, values);
        return result.code(run);
      } finally {
        run.depth -= 1;
        for (let slot = start; slot < end; slot += 1) locals[slot] = kept[slot - start] ?? null;
        run.locals = outer;
      }
    };
    return new RubyProc(isLambda, blockOf(yieldAll, result.takesOne, isLambda));
  };
}

function blockOf(yieldAll: Block['yieldAll'], takesOne: boolean, isLambda: boolean): Block {
  const yieldOne = (value: Value) => yieldAll([value]);
  const spread = (value: Value) => yieldAll(Array.isArray(value) ? value : [value]);
  return { takesOne, yieldAll, yield: takesOne || isLambda ? yieldOne : spread };
}

function procParts({ body, parameters }: ProcNode, lowering: Lowering): Parts {
  const declared = parametersOf(parameters);
  const { bind, takesOne } = blockParameters(declared, lowering);
  const { result, target } = lowering.targeted('proc', () => lowering.lowerOptional(body));
  const code = target.uses.has('next') ? catching('next', result) : result;
  return { bind, takesOne, code };
}

function lambdaParts({ body, parameters }: ProcNode, lowering: Lowering): Parts {
  const declared = parametersOf(parameters);
  const { bind, max, min } =
    declared === undefined ? { min: 0, max: 0, bind: () => undefined } : methodParameters(declared, lowering);
  const { result, target } = lowering.targeted('lambda', () => lowering.lowerOptional(body));
  const returning = target.uses.has('return') ? catching('return', result) : result;
  return {
    bind: (run, values) => {
      if (values.length < min || values.length > max) giveUp(`a lambda with ${values.length} arguments`);
      bind(run, values);
    },
    takesOne: max <= 1,
    code: target.uses.has('next') ? catching('next', returning) : returning,
  };
}

function parametersOf(node: RubyNode | null): RubyNode | undefined {
  if (node === null) return undefined;
  return isRubyNode(node, 'BlockParametersNode') ? field(node, 'parameters') : giveUp(node.kind);
}
