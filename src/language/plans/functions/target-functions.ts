/** Functions about targets and what is known of them: each reads or changes the inventory, and nothing else. */

import { isArray, PuppetHash, plainText, type Value } from '../../pcore/index.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { TargetValue } from '../values/target-value.ts';

const TARGET = { type: 'Target', name: 'target' } as const;

function nameOf(target: Value | undefined): string {
  return target instanceof TargetValue ? target.name : '';
}

const getTargets: PlanFunction = (world) => ({
  name: 'get_targets',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [{ type: 'Boltlib::TargetSpec', name: 'names' }],
      call: (_context, [names = null]) => world.targets(names),
    },
  ],
});

const getTarget: PlanFunction = (world) => ({
  name: 'get_target',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [{ type: 'Boltlib::TargetSpec', name: 'name' }],
      call: (_context, [name = null]) => world.run.once(() => world.inventory.findOne(name)) ?? null,
    },
  ],
});

function reading(name: 'facts' | 'vars'): PlanFunction {
  return (world) => ({
    name,
    types: PLAN_TYPES,
    dispatches: [
      {
        parameters: [TARGET],
        call: (_context, [target]) =>
          world.run.once(() => world.inventory.read(nameOf(target), name)) ?? null,
      },
    ],
  });
}

const addFacts: PlanFunction = (world) => ({
  name: 'add_facts',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [TARGET, { type: 'Hash', name: 'facts' }],
      call: (_context, [target = null, facts]) => {
        if (facts instanceof PuppetHash)
          world.run.once(() => world.inventory.addFacts(nameOf(target), facts));
        return target;
      },
    },
  ],
});

const setVar: PlanFunction = (world) => ({
  name: 'set_var',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [TARGET, { type: 'String', name: 'key' }, { type: 'Data', name: 'value' }],
      call: (_context, [target = null, key = '', value = null]) => {
        world.run.once(() => world.inventory.setVariable(nameOf(target), String(key), value));
        return target;
      },
    },
  ],
});

const setFeature: PlanFunction = (world) => ({
  name: 'set_feature',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        TARGET,
        { type: 'String', name: 'feature' },
        { type: 'Boolean', name: 'value', arity: 'optional' },
      ],
      call: (_context, [target = null, feature = '', value = true]) => {
        world.run.once(() => world.inventory.setFeature(nameOf(target), String(feature), value === true));
        return target;
      },
    },
  ],
});

const setConfig: PlanFunction = (world) => ({
  name: 'set_config',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        TARGET,
        { type: 'Variant[String, Array[String]]', name: 'key_or_key_path' },
        { type: 'Any', name: 'value', arity: 'optional' },
      ],
      call: (_context, [target = null, key = '', value = true]) => {
        const path = isArray(key) ? key : plainText(key) === '' ? [] : [key];
        world.run.once(() => world.inventory.setConfig(nameOf(target), path, value));
        return target;
      },
    },
  ],
});

function changingGroup(name: string, change: 'addToGroup' | 'removeFromGroup'): PlanFunction {
  return (world) => ({
    name,
    types: PLAN_TYPES,
    dispatches: [
      {
        parameters: [
          { type: 'Boltlib::TargetSpec', name: 'targets' },
          { type: 'String[1]', name: 'group' },
        ],
        call: (_context, [wanted = null, group = '']) => {
          const targets = world.targets(wanted);
          world.run.once(() => world.inventory[change](targets, String(group)));
          return change === 'addToGroup' ? targets : null;
        },
      },
    ],
  });
}

export const targetFunctions: readonly PlanFunction[] = [
  getTargets,
  getTarget,
  reading('facts'),
  reading('vars'),
  addFacts,
  setVar,
  setFeature,
  setConfig,
  changingGroup('add_to_group', 'addToGroup'),
  changingGroup('remove_from_group', 'removeFromGroup'),
];
