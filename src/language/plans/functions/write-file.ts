import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions, isSet, splitOptions } from './action-options.ts';
import { carryOut, unlessFailed } from './carry-out.ts';

/** `write_file(content, destination, targets, options?)` */
export const writeFile: PlanFunction = (world) => ({
  name: 'write_file',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'content' },
        { type: 'String[1]', name: 'destination' },
        { type: 'Boltlib::TargetSpec', name: 'target_spec' },
        { type: 'Hash[String[1], Any]', name: 'options', arity: 'optional' },
      ],
      call: (context, [content = '', to = '', wanted = null, given]) => {
        const destination = String(to);
        const { options } = splitOptions(given);
        const acting = actionOptions(world, `write file ${destination}`, options);
        const targets = world.targets(wanted);
        if (targets.length === 0) return new ResultSetValue([]);
        const names = targets.map(({ name }) => name);
        const results = carryOut(world, {
          action: { kind: 'write', content: String(content), destination, targets: names, options: acting },
          targets,
          name: 'upload',
          object: destination,
          position: context.position,
        });
        return unlessFailed(results, isSet(options, 'catch_errors'), 'upload_file', destination);
      },
    },
  ],
});
