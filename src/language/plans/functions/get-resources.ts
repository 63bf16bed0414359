import { isArray, PuppetHash, plainText, type Value } from '../../pcore/index.ts';
import { PlanError } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions } from './action-options.ts';
import { carryOut, type Undertaking, unlessFailed } from './carry-out.ts';

/** What results and errors name, as in the reference. */
const TASK = 'apply_helpers::query_resources';

/** `get_resources(targets, resources)`: what Puppet finds of types (`user`) and of single resources (`File[/tmp]`). */
export const getResources: PlanFunction = (world) => ({
  name: 'get_resources',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'Boltlib::TargetSpec', name: 'target_spec' },
        {
          type: 'Variant[String, Type[Resource], Array[Variant[String, Type[Resource]]]]',
          name: 'resources',
        },
      ],
      call: (context, [wanted = null, given = null]) => {
        const resources = namesOf(given);
        const undertaking: Undertaking = {
          action: (targets) => ({
            kind: 'resources',
            resources,
            targets,
            options: actionOptions(world, 'gather resources', new PuppetHash()),
          }),
          targets: world.targets(wanted),
          name: 'task',
          object: TASK,
          position: context.position,
        };
        if (undertaking.targets.length === 0) return new ResultSetValue([]);
        const results = world.run.quietly(() => carryOut(world, undertaking));
        return unlessFailed(results, false, 'run_task', TASK);
      },
    },
  ],
});

/** @throws PlanError for anything that is neither a type nor one resource */
function namesOf(given: Value): readonly string[] {
  const names = (isArray(given) ? given : [given]).map(plainText);
  for (const name of names) {
    if (/^\w+(\[.+\])?$/s.test(name)) continue;
    throw PlanError.of('bolt/get-resources', `${name} is not a valid resource type or type instance name`);
  }
  return names;
}
