import { PuppetHash } from '../../pcore/index.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions, isSet, splitOptions } from './action-options.ts';
import { carryOut, type Undertaking, unlessFailed } from './carry-out.ts';

/** What results and errors name, as in the reference. */
const TASK = 'apply_helpers::custom_facts';

/** `apply_prep(targets, options?)`: agents bring plugins of the environment, and their facts become those of the targets. */
export const applyPrep: PlanFunction = (world) => ({
  name: 'apply_prep',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'Boltlib::TargetSpec', name: 'targets' },
        { type: 'Hash[String, Data]', name: 'options', arity: 'optional' },
      ],
      call: (context, [wanted = null, given]) => {
        const { options } = splitOptions(given);
        const known = new PuppetHash([...options].filter(([name]) => name === 'run_as'));
        const acting = actionOptions(world, 'install puppet and gather facts', known);
        const undertaking: Undertaking = {
          action: (targets) => ({ kind: 'apply-prep', targets, options: acting }),
          targets: world.targets(wanted),
          name: 'task',
          object: TASK,
          position: context.position,
        };
        if (undertaking.targets.length === 0) return new ResultSetValue([]);
        const results = world.run.quietly(() => carryOut(world, undertaking));
        world.run.once(() => {
          for (const { isOk, target, value } of results.results) {
            if (!isOk) continue;
            world.inventory.setFeature(target.name, 'puppet-agent', true);
            world.inventory.addFacts(target.name, value);
          }
        });
        return unlessFailed(results, isSet(options, 'catch_errors'), 'run_task', TASK);
      },
    },
  ],
});
