import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions, isSet, splitOptions, withDescription } from './action-options.ts';
import { carryOut, unlessFailed } from './carry-out.ts';
import { getModulePath } from './module-path.ts';

/** `upload_file(source, destination, targets, description?, options?)` */
export const uploadFile: PlanFunction = (world) => ({
  name: 'upload_file',
  types: PLAN_TYPES,
  dispatches: withDescription(
    [
      { type: 'String[1]', name: 'source' },
      { type: 'String[1]', name: 'destination' },
      { type: 'Boltlib::TargetSpec', name: 'targets' },
    ],
    'options',
    ({ context, args: [written = '', to = '', wanted = null], description, options: given }) => {
      const { options } = splitOptions(given);
      const destination = String(to);
      const source = getModulePath(String(written), world.environment, context.position);
      const text = String(description ?? `file upload from ${source} to ${destination}`);
      const acting = actionOptions(world, text, options);
      const targets = world.targets(wanted);
      if (targets.length === 0) return new ResultSetValue([]);
      const results = carryOut(world, {
        action: {
          kind: 'upload',
          source,
          destination,
          targets: targets.map(({ name }) => name),
          options: acting,
        },
        targets,
        name: 'upload',
        object: source,
        position: context.position,
      });
      return unlessFailed(results, isSet(options, 'catch_errors'), 'upload_file', written);
    },
  ),
});
