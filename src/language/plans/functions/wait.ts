import type { Dispatch } from '../../functions/index.ts';
import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { PlanFunction } from '../plan-world.ts';
import { FutureValue } from '../values/future-value.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { isSet, numberOf, splitOptions } from './action-options.ts';
import { valuesOf } from './parallelize.ts';

const FUTURES = { type: 'Variant[Future, Array[Future]]', name: 'futures' } as const;
const TIMEOUT = { type: 'Variant[Integer[0], Float[0.0]]', name: 'timeout' } as const;
const OPTIONS = { type: 'Hash[String[1], Any]', name: 'options', arity: 'optional' } as const;
const FORMS: readonly Dispatch['parameters'][] = [
  [FUTURES, OPTIONS],
  [OPTIONS],
  [TIMEOUT, OPTIONS],
  [FUTURES, TIMEOUT, OPTIONS],
];

/** `wait(futures?, timeout?, options?)`: the values of blocks in the background, of all of the plan's when none is named. */
export const wait: PlanFunction = (world) => ({
  name: 'wait',
  types: PLAN_TYPES,
  dispatches: FORMS.map((parameters) => ({
    parameters,
    call: (_context, args) => {
      const futures = futuresIn(args[0] ?? null);
      const isCaught = isSet(
        splitOptions(args.find((each) => each instanceof PuppetHash)).options,
        'catch_errors',
      );
      const place = parameters.indexOf(TIMEOUT);
      const timeout = place === -1 ? undefined : numberOf(args[place]);
      if (parameters[0] === FUTURES) {
        world.run.join(
          futures.map(({ branch }) => branch),
          timeout,
        );
        return valuesOf(
          futures.map(({ branch }) => branch),
          isCaught,
        );
      }
      const branches = world.run.ownBackground();
      world.run.join(branches, timeout);
      return valuesOf(branches, isCaught);
    },
  })),
});

function futuresIn(value: Value): readonly FutureValue[] {
  if (value instanceof FutureValue) return [value];
  return isArray(value) ? value.flatMap(futuresIn) : [];
}
