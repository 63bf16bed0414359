import { validationError } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { actionOptions, splitOptions, withDescription } from './action-options.ts';
import { act, type Undertaking } from './carry-out.ts';

/** `download_file(source, destination, targets, description?, options?)` */
export const downloadFile: PlanFunction = (world) => ({
  name: 'download_file',
  types: PLAN_TYPES,
  dispatches: withDescription(
    [
      { type: 'String[1]', name: 'source' },
      { type: 'String[1]', name: 'destination' },
      { type: 'Boltlib::TargetSpec', name: 'targets' },
    ],
    'options',
    ({ context, args: [source = '', to = '', wanted = null], description, options: given }) => {
      const { options } = splitOptions(given);
      const destination = checkedDestination(String(to).trim());
      const text = String(description ?? `file download from ${String(source)} to ${destination}`);
      const acting = actionOptions(world, text, options);
      const undertaking: Undertaking = {
        action: (targets) => ({
          kind: 'download',
          source: String(source),
          destination,
          targets,
          options: acting,
        }),
        targets: world.targets(wanted),
        name: 'download',
        object: source,
        position: context.position,
      };
      return act(world, undertaking, { name: 'download_file', object: source, options });
    },
  ),
});

function checkedDestination(destination: string): string {
  if (destination === '') throw validationError('Destination cannot be an empty string');
  if (destination.startsWith('/'))
    throw validationError(`Destination must be a relative path, received absolute path ${destination}`);
  if (destination.split('/').some((part) => part === '.' || part === '..'))
    throw validationError(`Destination must not include path traversal, received ${destination}`);
  return destination;
}
