import type { CallContext } from '../../functions/index.ts';
import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { FatalPlanError, PlanError, planErrorOf, shownResult } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';
import type { Branch } from '../run/branch.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';

/** `parallelize(array) |$element| { ... }`: the values of the blocks, in the order of the elements. */
export const parallelize: PlanFunction = (world) => ({
  name: 'parallelize',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [{ type: 'Array[Any]', name: 'data' }],
      block: { type: 'Callable[Any]' },
      call: (context, [data = []], block) => {
        if (block === undefined || !isArray(data)) return [];
        const blocks = data.map((element) => ({
          evaluate: () => checkedResult(world.script.callBlock(block, [element]), context),
        }));
        const branches = world.run.fork(blocks, false);
        world.run.join(branches, undefined);
        return valuesOf(branches, false);
      },
    },
  ],
});

/** @throws PlanError for what a plan may not return */
export function checkedResult(value: Value, { position }: CallContext): Value {
  if (PLAN_TYPES.findAlias('PlanResult')?.isInstance(value) === true) return value;
  const text = shownResult(value);
  throw new FatalPlanError({
    kind: 'bolt/invalid-plan-result',
    message: `Background block returned an invalid result: ${text}`,
    details: PuppetHash.from({
      file: position.file ?? null,
      line: position.line ?? null,
      result_string: text,
    }),
  });
}

/** What blocks gave that have ended. @throws PlanError when some failed, unless that is caught */
export function valuesOf(branches: readonly Branch[], isCaught: boolean): readonly Value[] {
  const failed: number[] = [];
  const values = branches.map(({ state }, index): Value => {
    if (state.kind === 'done') return state.value;
    failed.push(index);
    return state.kind === 'failed' ? (planErrorOf(state.error)?.toValue() ?? null) : null;
  });
  if (failed.length === 0 || isCaught) return values;
  const count = `${failed.length} target${failed.length === 1 ? '' : 's'}`;
  throw PlanError.of('bolt/parallel-failure', `parallel block failed on ${count}`, {
    action: 'parallelize',
    failed_indices: failed,
    results: values,
  });
}
