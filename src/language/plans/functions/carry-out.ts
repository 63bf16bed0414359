/** Carrying an action out: what came of it on each target, and what happens where it failed. */

import type { JsonObject } from '../../../lib/json.ts';
import { PuppetHash, SensitiveValue, type Value } from '../../pcore/index.ts';
import type { Position } from '../../syntax/index.ts';
import { hashOfJson, valueOfJson } from '../plan-data.ts';
import { PlanError } from '../plan-error.ts';
import type { PlanWorld } from '../plan-world.ts';
import type { PlanAction } from '../run/plan-host.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { ResultValue } from '../values/result-value.ts';
import type { TargetValue } from '../values/target-value.ts';
import { isSet } from './action-options.ts';

type TargetAction = Exclude<PlanAction, { kind: 'sleep' }>;

export interface Undertaking {
  /** Without targets there is no action. @param names - of the targets */
  readonly action: (names: readonly string[]) => TargetAction;
  readonly targets: readonly TargetValue[];
  /** What results say that was done: `command`. */
  readonly name: string;
  /** What it was done with: the command itself. */
  readonly object: Value;
  readonly position: Position;
}

/**
 * Carries an action out, as the function of a plan does whose failure ends the plan unless `_catch_errors` is set.
 *
 * @param called - the function in the error, and what it was called with
 * @throws PlanError when the action could not be begun, or failed on a target
 */
export function act(
  world: PlanWorld,
  undertaking: Undertaking,
  called: { readonly name: string; readonly object: Value; readonly options: PuppetHash },
): ResultSetValue {
  // The function says nothing at all then.
  if (undertaking.targets.length === 0) return new ResultSetValue([]);
  const isCaught = isSet(called.options, 'catch_errors');
  return unlessFailed(carryOut(world, undertaking), isCaught, called.name, called.object);
}

/** @throws PlanError when it could not be begun; what failed on a target is in its result */
export function carryOut(
  world: PlanWorld,
  { action: make, targets, name, object, position }: Undertaking,
): ResultSetValue {
  if (targets.length === 0) return new ResultSetValue([]);
  const action = make(targets.map((target) => target.name));
  const outcomes = outcomesOf(world, action);
  const results = targets.map((target) => {
    const json = outcomes.get(target.name) ?? missingResult(target.name);
    return new ResultValue({ target, value: valueOf(json, action.kind, position), action: name, object });
  });
  return new ResultSetValue(results);
}

/** What came of an action, by target. @throws PlanError when it could not be begun */
export function outcomesOf(world: PlanWorld, action: TargetAction): ReadonlyMap<string, JsonObject> {
  if (action.targets.length === 0) return new Map();
  const outcome = world.run.act(action);
  if (outcome.kind === 'failed') {
    const { kind, msg, details = {} } = outcome.error;
    throw new PlanError({ kind, message: msg, details: hashOfJson(details) });
  }
  if (outcome.kind !== 'results') return new Map();
  return new Map(outcome.results.map(({ target, value }) => [target, value] as const));
}

/** @throws PlanError for results of which some failed, unless that is caught */
export function unlessFailed(
  results: ResultSetValue,
  isCaught: boolean,
  action: string,
  object: Value = null,
): ResultSetValue {
  if (results.isOk || isCaught) return results;
  const count = results.failed.results.length;
  const what = object === null ? action : `${action} '${String(object)}'`;
  throw PlanError.of('bolt/run-failure', `${what} failed on ${count} target${count === 1 ? '' : 's'}`, {
    action,
    object,
    result_set: results,
  });
}

function missingResult(target: string): JsonObject {
  const msg = `No result was returned for ${target}`;
  return { _error: { kind: 'puppetlabs.bolt/missing-result-error', msg, details: {} } };
}

function valueOf(json: JsonObject, kind: PlanAction['kind'], position: Position): PuppetHash {
  const value = hashOfJson(json);
  const { file, line } = position;
  const place = PuppetHash.from({
    ...(file === undefined || file === '' ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  });
  const error = value.get('_error');
  if (error instanceof PuppetHash) value.set('_error', located(error, place));
  else if (kind === 'command' || kind === 'script') addExitError(value, place);
  if (value.has('_sensitive')) value.set('_sensitive', new SensitiveValue(value.get('_sensitive') ?? null));
  return value;
}

/** An error says where in the plan the action stands. */
function located(error: PuppetHash, place: PuppetHash): PuppetHash {
  const details = error.get('details');
  const own = details instanceof PuppetHash ? details : new PuppetHash();
  const complete = own.has('file') ? own : new PuppetHash([...place, ...own]);
  const whole = new PuppetHash(error).set('details', complete);
  return whole.has('kind') ? whole : whole.set('kind', 'bolt/error');
}

function addExitError(value: PuppetHash, place: PuppetHash): void {
  const code = value.get('exit_code') ?? 0;
  if (code === 0) return;
  value.set(
    '_error',
    PuppetHash.from({
      kind: 'puppetlabs.tasks/command-error',
      issue_code: 'COMMAND_ERROR',
      msg: `The command failed with exit code ${String(valueOfJson(Number(code)))}`,
      details: new PuppetHash(place).set('exit_code', code),
    }),
  );
}
