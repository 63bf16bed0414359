import { SensitiveValue } from '../../pcore/index.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions, isSet, splitOptions, withDescription } from './action-options.ts';
import { carryOut, unlessFailed } from './carry-out.ts';

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
      const targets = world.targets(wanted);
      if (targets.length === 0) return new ResultSetValue([]);
      const names = targets.map(({ name }) => name);
      const results = carryOut(world, {
        action: { kind: 'command', command: text, targets: names, options: acting },
        targets,
        name: 'command',
        object: text,
        position: context.position,
      });
      return unlessFailed(results, isSet(options, 'catch_errors'), 'run_command', text);
    },
  ),
});
