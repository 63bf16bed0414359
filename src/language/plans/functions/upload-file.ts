import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { actionOptions, splitOptions, withDescription } from './action-options.ts';
import { act, type Undertaking } from './carry-out.ts';
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
      const undertaking: Undertaking = {
        action: (targets) => ({ kind: 'upload', source, destination, targets, options: acting }),
        targets: world.targets(wanted),
        name: 'upload',
        object: source,
        position: context.position,
      };
      return act(world, undertaking, { name: 'upload_file', object: written, options });
    },
  ),
});
