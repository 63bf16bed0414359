import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { actionOptions, splitOptions, withDescription } from './action-options.ts';
import { act } from './carry-out.ts';
import { atLine } from './module-path.ts';
import { getTask, taskMismatch, withDefaults } from './task-parameters.ts';
import { taskUndertaking } from './task-undertaking.ts';

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
    ({ context, args: [written = '', wanted = null], description, options: named }) => {
      const { options, others } = splitOptions(named);
      const targets = world.targets(wanted);
      if (targets.length === 0) return new ResultSetValue([]);
      const task = getTask(String(written), world);
      const whole = withDefaults(task, others);
      const mismatch = taskMismatch(task, whole, context);
      if (mismatch !== undefined) throw atLine(mismatch, context.position);
      const acting = actionOptions(world, String(description ?? `task ${task.name}`), options);
      const given = targets.map((target) => ({ target, parameters: whole }));
      const undertaking = taskUndertaking(task, given, acting, context);
      return act(world, undertaking, { name: 'run_task', object: task.name, options });
    },
  ),
});
