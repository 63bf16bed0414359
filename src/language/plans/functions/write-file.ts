import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { actionOptions, splitOptions } from './action-options.ts';
import { act, type Undertaking } from './carry-out.ts';

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
        const undertaking: Undertaking = {
          action: (targets) => ({
            kind: 'write',
            content: String(content),
            destination,
            targets,
            options: acting,
          }),
          targets: world.targets(wanted),
          name: 'upload',
          object: destination,
          position: context.position,
        };
        return act(world, undertaking, { name: 'upload_file', object: destination, options });
      },
    },
  ],
});
