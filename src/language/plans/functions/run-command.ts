import { SensitiveValue } from '../../pcore/index.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { actionOptions, splitOptions, withDescription } from './action-options.ts';
import { act, type Undertaking } from './carry-out.ts';

/** `run_command(command, targets, description?, options?)` */
export const runCommand: PlanFunction = (world) => ({
  name: 'run_command',
  types: PLAN_TYPES,
  dispatches: withDescription(
    [
      { type: 'String[1]', name: 'command' },
      { type: 'Boltlib::TargetSpec', name: 'targets' },
    ],
    'options',
    ({ context, args: [command = '', wanted = null], description, options: given }) => {
      const { options } = splitOptions(given);
      const text = String(command instanceof SensitiveValue ? command.unwrap() : command);
      const acting = actionOptions(world, String(description ?? `command '${text}'`), options);
      const undertaking: Undertaking = {
        action: (targets) => ({ kind: 'command', command: text, targets, options: acting }),
        targets: world.targets(wanted),
        name: 'command',
        object: text,
        position: context.position,
      };
      return act(world, undertaking, { name: 'run_command', object: text, options });
    },
  ),
});
