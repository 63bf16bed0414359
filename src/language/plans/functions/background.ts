import type { PlanFunction } from '../plan-world.ts';
import { FutureValue } from '../values/future-value.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { checkedResult } from './parallelize.ts';

/** `background(name?) || { ... }`: the block runs beside the plan. */
export const background: PlanFunction = (world) => ({
  name: 'background',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [{ type: 'String[1]', name: 'name', arity: 'optional' }],
      block: { type: 'Callable[0, 0]' },
      call: (context, [name], block) => {
        const evaluate = () =>
          block === undefined ? null : checkedResult(world.script.callBlock(block, []), context);
        const named = typeof name === 'string' ? { name } : {};
        const [branch] = world.run.fork([{ ...named, evaluate }], true);
        if (branch === undefined) return null;
        const states = { waiting: 'running', done: 'done', failed: 'error' } as const;
        return new FutureValue(branch, () => world.run.once(() => states[branch.state.kind]));
      },
    },
  ],
});
