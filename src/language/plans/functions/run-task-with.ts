import type { CallContext, Lambda } from '../../functions/index.ts';
import { PuppetHash, rubyClassName, type Value } from '../../pcore/index.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { ResultValue } from '../values/result-value.ts';
import type { TargetValue } from '../values/target-value.ts';
import { actionOptions, isSet, splitOptions, withDescription } from './action-options.ts';
import { carryOut, unlessFailed } from './carry-out.ts';
import { atLine } from './module-path.ts';
import { getTask, type TaskSignature, taskMismatch, withDefaults } from './task-parameters.ts';
import { type TaskTarget, taskUndertaking } from './task-undertaking.ts';

/** `run_task_with(task, targets, description?, options?) |$target| { parameters }` */
export const runTaskWith: PlanFunction = (world) => ({
  name: 'run_task_with',
  types: PLAN_TYPES,
  dispatches: withDescription(
    [
      { type: 'String[1]', name: 'task_name' },
      { type: 'Boltlib::TargetSpec', name: 'targets' },
    ],
    'options',
    ({ context, args: [written = '', wanted = null], block, description, options: given }) => {
      const { options } = splitOptions(given);
      const targets = world.targets(wanted);
      if (targets.length === 0 || block === undefined) return new ResultSetValue([]);
      const task = getTask(String(written), world);
      const { fitting, refused } = sortOut(targets, task, block, context);
      const acting = actionOptions(world, String(description ?? `task ${task.name}`), options);
      const results = carryOut(world, taskUndertaking(task, fitting, acting, context));
      const all = new ResultSetValue([...results.results, ...refused]);
      return unlessFailed(all, isSet(options, 'catch_errors'), 'run_task', task.name);
    },
  ).map((dispatch) => ({ ...dispatch, block: { type: 'Callable[Target]' } })),
});

/** Targets whose parameters don't fit fail; the others are not held up by them. */
function sortOut(
  targets: readonly TargetValue[],
  task: TaskSignature,
  block: Lambda,
  context: CallContext,
): { readonly fitting: readonly TaskTarget[]; readonly refused: readonly ResultValue[] } {
  const fitting: TaskTarget[] = [];
  const refused: ResultValue[] = [];
  for (const target of targets) {
    const given = block.call([target]);
    const parameters = given instanceof PuppetHash ? withDefaults(task, given) : undefined;
    const mismatch =
      parameters === undefined
        ? `Block must return a Hash of parameters, received ${rubyClassName(given)}`
        : taskMismatch(task, parameters, context);
    if (mismatch === undefined && parameters !== undefined) fitting.push({ target, parameters });
    else refused.push(refusal(target, atLine(mismatch ?? '', context.position).message));
  }
  return { fitting, refused };
}

function refusal(target: TargetValue, message: string): ResultValue {
  const error: Readonly<Record<string, Value>> = {
    kind: 'puppetlabs.tasks/exception-error',
    issue_code: 'EXCEPTION',
    msg: message,
    details: PuppetHash.from({ class: 'Puppet::ParseErrorWithIssue' }),
  };
  const value = PuppetHash.from({ _error: PuppetHash.from(error) });
  return new ResultValue({ target, value, action: 'task', object: null });
}
