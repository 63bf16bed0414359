import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions, isSet, splitOptions, withDescription } from './action-options.ts';
import { carryOut, unlessFailed } from './carry-out.ts';
import { atLine } from './module-path.ts';
import { getTask, jsonParameters, taskMismatch, withDefaults } from './task-parameters.ts';

/** `run_task(task, targets, description?, parameters and options?)` */
export const runTask: PlanFunction = (world) => ({
  name: 'run_task',
  types: PLAN_TYPES,
  dispatches: withDescription(
    [
      { type: 'String[1]', name: 'task_name' },
      { type: 'Boltlib::TargetSpec', name: 'targets' },
    ],
    'args',
    ({ context, args: [written = '', wanted = null], description, options: given }) => {
      const { options, others } = splitOptions(given);
      const targets = world.targets(wanted);
      if (targets.length === 0) return new ResultSetValue([]);
      const task = getTask(String(written), world);
      const whole = withDefaults(task, others);
      const mismatch = taskMismatch(task, whole, context);
      if (mismatch !== undefined) throw atLine(mismatch, context.position);
      const acting = actionOptions(world, String(description ?? `task ${task.name}`), options);
      if (acting.noop === true && !task.supportsNoop)
        throw atLine('Task does not support noop', context.position);
      const { parameters, sensitive } = jsonParameters(task, whole);
      const results = carryOut(world, {
        action: {
          kind: 'task',
          task: task.name,
          parameters: targets.map(() => parameters),
          sensitive,
          targets: targets.map(({ name }) => name),
          options: acting,
        },
        targets,
        name: 'task',
        object: task.name,
        position: context.position,
      });
      return unlessFailed(results, isSet(options, 'catch_errors'), 'run_task', task.name);
    },
  ),
});
