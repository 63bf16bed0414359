/** Resources that a plan knows of its targets. */

import { isArray, ObjectInstance, PuppetHash, plainText, type Value } from '../../pcore/index.ts';
import { validationError } from '../plan-error.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResourceInstanceValue, resourceReference } from '../values/resource-instance-value.ts';
import { TargetValue } from '../values/target-value.ts';

const setResources: PlanFunction = (world) => ({
  name: 'set_resources',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'Target', name: 'target' },
        {
          type: 'Variant[Hash, ResourceInstance, Array[Variant[Hash, ResourceInstance]]]',
          name: 'resources',
        },
      ],
      call: (_context, [target = null, resources = null]) => {
        if (!(target instanceof TargetValue)) return [];
        return (isArray(resources) ? resources : [resources]).map((each) => set(world, target, each));
      },
    },
  ],
});

function set(world: PlanWorld, target: TargetValue, given: Value): Value {
  const resource = given instanceof ResourceInstanceValue ? given : instanceOf(given, target);
  if (resource.target.name !== target.name) {
    throw validationError(
      `Cannot set resource ${resource.reference} for target ${resource.target.name} on target ${target.name}. `,
    );
  }
  return world.run.once(() => world.inventory.setResource(target.name, resource));
}

/** @param given - a hash, as reports and `get_resources()` have them */
export function instanceOf(given: Value, target: TargetValue): ResourceInstanceValue {
  const parts = given instanceof PuppetHash ? given : new PuppetHash();
  const hash = (...names: readonly string[]): PuppetHash => {
    const found = names.map((name) => parts.get(name)).find((value) => value instanceof PuppetHash);
    return found instanceof PuppetHash ? found : new PuppetHash();
  };
  const own = parts.get('target');
  const events = parts.get('events') ?? null;
  return new ResourceInstanceValue({
    target: own instanceof TargetValue ? own : target,
    type: plainText(parts.get('type') ?? parts.get('resource_type') ?? ''),
    title: plainText(parts.get('title') ?? ''),
    state: hash('state', 'parameters'),
    desiredState: hash('desired_state'),
    events: isArray(events) ? events : [],
  });
}

const resource: PlanFunction = (world) => ({
  name: 'resource',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'Target', name: 'target' },
        { type: 'Variant[Type[Resource], String[1]]', name: 'type' },
        { type: 'String[1]', name: 'title' },
      ],
      call: (_context, [target = null, type = '', title = '']) => {
        if (!(target instanceof TargetValue)) return null;
        const reference = resourceReference(plainText(type), String(title));
        const found: ObjectInstance | undefined = world.run.once(() =>
          world.inventory.resource(target.name, reference),
        );
        return found ?? null;
      },
    },
  ],
});

export const resourceFunctions: readonly PlanFunction[] = [setResources, resource];
