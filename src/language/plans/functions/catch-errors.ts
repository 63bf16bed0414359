import { isArray } from '../../pcore/index.ts';
import { planErrorOf } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';

/** `catch_errors(kinds?) || { ... }`: the block's value, or the Error that it failed with. */
export const catchErrors: PlanFunction = () => ({
  name: 'catch_errors',
  dispatches: [
    {
      parameters: [{ type: 'Array[String[1]]', name: 'error_types', arity: 'optional' }],
      block: { type: 'Callable[0, 0]' },
      call: (_context, [kinds = null], block) => {
        try {
          return block?.call([]) ?? null;
        } catch (thrown) {
          const error = planErrorOf(thrown);
          if (error === undefined || (isArray(kinds) && !kinds.includes(error.kind))) throw thrown;
          return error.toValue();
        }
      },
    },
  ],
});
