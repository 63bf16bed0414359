import { failure } from '../../catalog/index.ts';
import { builtinFunctions } from '../../functions/index.ts';
import { isArray, ObjectType, PuppetHash, type Value } from '../../pcore/index.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue, resultsIn } from '../values/result-set-value.ts';
import { ResultValue } from '../values/result-value.ts';
import { TargetValue } from '../values/target-value.ts';
import { instanceOf } from './resource-functions.ts';

/** `Type.new(...)`, which also makes the objects of plans. */
export const newObject: PlanFunction = (world) => ({
  name: 'new',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        {
          type: 'Type[Variant[Target, Result, ApplyResult, ResultSet, ResourceInstance, Future]]',
          name: 'type',
        },
        { type: 'Any', name: 'arguments', arity: 'repeated' },
      ],
      call: (_context, [type, ...args]) => {
        const name = type instanceof ObjectType ? type.label : '';
        const made = MAKERS[name]?.(args, world);
        if (made === undefined) throw refusal(name, args);
        return made;
      },
    },
    ...(builtinFunctions.get('new')?.dispatches ?? []),
  ],
});

type Maker = (args: readonly Value[], world: PlanWorld) => Value | undefined;

const MAKERS: Readonly<Record<string, Maker>> = {
  Target([given = null], world) {
    if (typeof given !== 'string' && !(given instanceof PuppetHash)) return undefined;
    const data = given instanceof PuppetHash ? given : PuppetHash.from({ uri: given });
    return world.run.once(() => world.inventory.create(data));
  },
  Result([target, value, ...more]) {
    if (!(target instanceof TargetValue) || !(value instanceof PuppetHash) || more.length > 0)
      return undefined;
    return new ResultValue({ target, value, action: 'action', object: null });
  },
  ResultSet([results = null]) {
    return isArray(results) ? new ResultSetValue(resultsIn(results)) : undefined;
  },
  ResourceInstance([given = null]) {
    const target = given instanceof PuppetHash ? given.get('target') : undefined;
    return target instanceof TargetValue ? instanceOf(given, target) : undefined;
  },
};

const COUNTS: Readonly<Record<string, number>> = { Result: 2, ResultSet: 1, Target: 1, ResourceInstance: 1 };

function refusal(name: string, args: readonly Value[]): Error {
  const count = COUNTS[name];
  if (count === undefined) return failure(`Creation of new instance of type '${name}' is not supported`);
  if (args.length === count) return failure(`'new_${name}' got arguments of the wrong type`);
  return failure(`'new_${name}' expects ${count} argument${count === 1 ? '' : 's'}, got ${args.length}`);
}
