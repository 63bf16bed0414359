/** Options of functions that act: the entries of a hash whose names begin with `_`. */

import type { CallContext, Dispatch, Lambda } from '../../functions/index.ts';
import { Float, inspect, isArray, isInteger, PuppetHash, plainText, type Value } from '../../pcore/index.ts';
import { dataText } from '../plan-data.ts';
import { validationError } from '../plan-error.ts';
import type { PlanWorld } from '../plan-world.ts';
import type { ActionOptions } from '../run/plan-host.ts';

export interface GivenOptions {
  /** Without the `_`. */
  readonly options: PuppetHash;
  /** All other entries. */
  readonly others: PuppetHash;
}

export function splitOptions(given: Value | undefined): GivenOptions {
  const options = new PuppetHash();
  const others = new PuppetHash();
  if (given instanceof PuppetHash) {
    for (const [key, value] of given) {
      if (typeof key === 'string' && key.startsWith('_')) options.set(key.slice(1), value);
      else others.set(key, value);
    }
  }
  return { options, others };
}

export function isSet(options: PuppetHash, name: string): boolean {
  const value = options.get(name) ?? null;
  return value !== null && value !== false;
}

/** @throws PlanError when variables of the environment are given in a wrong form */
export function actionOptions(world: PlanWorld, description: string, options: PuppetHash): ActionOptions {
  const runAs = options.has('run_as') ? options.get('run_as') : world.run.runAs;
  const environment = environmentVariables(options.get('env_vars') ?? null);
  const timeout = options.get('timeout');
  return {
    description,
    ...(typeof runAs === 'string' ? { runAs } : {}),
    ...(isSet(options, 'noop') ? { noop: true } : {}),
    ...(environment === undefined ? {} : { environment }),
    ...(timeout !== undefined && isNumber(timeout) ? { timeoutSeconds: numberOf(timeout) } : {}),
  };
}

function environmentVariables(given: Value): Readonly<Record<string, string>> | undefined {
  if (given === null || given === false) return undefined;
  if (!(given instanceof PuppetHash)) throw validationError("Option 'env_vars' must be a hash");
  const wrong = [...given.keys()].filter((key) => typeof key !== 'string');
  if (wrong.length > 0)
    throw validationError(`Keys for option 'env_vars' must be strings: ${wrong.map(inspect).join(', ')}`);
  return Object.fromEntries(
    [...given].map(([key, value]) => [
      String(key),
      isArray(value) || value instanceof PuppetHash ? dataText(value) : plainText(value),
    ]),
  );
}

function isNumber(value: Value): value is number | bigint | Float {
  return isInteger(value) || value instanceof Float;
}

/** 0 unless it is a number. */
export function numberOf(value: Value | undefined): number {
  if (value instanceof Float) return value.value;
  return value !== undefined && isInteger(value) ? Number(value) : 0;
}

export interface DescribedCall {
  readonly context: CallContext;
  /** Those before the description. */
  readonly args: readonly Value[];
  readonly block: Lambda | undefined;
  /** `undefined` without one. */
  readonly description: Value | undefined;
  readonly options: Value | undefined;
}

/** The two signatures of such functions: without a description before the options, and with one. */
export function withDescription(
  parameters: Dispatch['parameters'],
  optionsName: string,
  call: (given: DescribedCall) => Value,
): readonly Dispatch[] {
  const options = { type: 'Hash[String[1], Any]', name: optionsName, arity: 'optional' } as const;
  const count = parameters.length;
  return [
    {
      parameters: [...parameters, options],
      call: (context, args, block) =>
        call({ context, args, block, description: undefined, options: args[count] }),
    },
    {
      parameters: [...parameters, { type: 'String', name: 'description' }, options],
      call: (context, args, block) =>
        call({ context, args, block, description: args[count], options: args[count + 1] }),
    },
  ];
}
