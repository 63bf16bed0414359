import { failure } from '../../catalog/index.ts';
import { PuppetHash, type Value } from '../../pcore/index.ts';
import { PlanError, planErrorOf, shownResult } from '../plan-error.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { isSet, splitOptions } from './action-options.ts';

/** `run_plan(name, targets?, parameters and options?)` */
export const runPlan: PlanFunction = (world) => ({
  name: 'run_plan',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'plan_name' },
        { type: 'Hash', name: 'args', arity: 'optional' },
      ],
      call: (_context, [name = '', given]) => runInner(world, String(name), null, given),
    },
    {
      parameters: [
        { type: 'String', name: 'plan_name' },
        { type: 'Boltlib::TargetSpec', name: 'targets' },
        { type: 'Hash', name: 'args', arity: 'optional' },
      ],
      call: (_context, [name = '', targets = null, given]) => runInner(world, String(name), targets, given),
    },
  ],
});

function runInner(world: PlanWorld, name: string, targets: Value, given: Value | undefined): Value {
  const { options, others } = splitOptions(given);
  const parameters = new PuppetHash(others);
  const declared = world.script.parameters(world.getPlan(name));
  const takesTargets = (parameter: string): boolean =>
    declared.some(({ name: known, type }) => known === parameter && type.toString().includes('TargetSpec'));
  if (targets !== null) {
    const isNodes = declared.some(({ name: known }) => known === 'nodes');
    addTargets(parameters, targets, { nodes: isNodes, targets: takesTargets('targets') });
  }
  for (const [parameter, value] of parameters) if (takesTargets(String(parameter))) world.targets(value);
  const runAs = options.get('run_as');
  try {
    return checkedPlanResult(
      name,
      world.callPlan(name, parameters, typeof runAs === 'string' ? runAs : undefined),
    );
  } catch (thrown) {
    const error = planErrorOf(thrown);
    if (error === undefined || !isSet(options, 'catch_errors')) throw thrown;
    return error.toValue();
  }
}

/** @throws PlanError for what a plan may not return */
export function checkedPlanResult(name: string, value: Value): Value {
  if (PLAN_TYPES.findAlias('PlanResult')?.isInstance(value) === true) return value;
  const text = shownResult(value);
  throw PlanError.of('bolt/invalid-plan-result', `Plan ${name} returned an invalid result: ${text}`, {
    plan_name: name,
    result_string: text,
  });
}

/** The second argument is the parameter `nodes` or `targets`, whichever the plan has. */
function addTargets(
  parameters: PuppetHash,
  targets: Value,
  has: { readonly nodes: boolean; readonly targets: boolean },
): void {
  if (has.nodes && has.targets) {
    throw failure(
      'A plan with both a $nodes and $targets parameter cannot have either parameter specified ' +
        'as the second positional argument to run_plan().',
    );
  }
  const name = has.targets ? 'targets' : 'nodes';
  if ((has.nodes || has.targets) && (parameters.get(name) ?? null) !== null) {
    throw failure(
      `A plan's '${name}' parameter can be specified as the second positional argument to ` +
        `run_plan(), but in that case '${name}' must not be specified in the named arguments hash.`,
    );
  }
  parameters.set(name, targets);
}
