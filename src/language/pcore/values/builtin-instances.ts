/** Instances of the Object types of the language itself. */

import { DEFERRED_TYPE, ERROR_TYPE } from '../types/builtin-objects.ts';
import { isArray, type Value } from '../value.ts';
import { ObjectInstance } from './object-instance.ts';

/** A function call that the agent makes when it applies the catalog. */
export class DeferredValue extends ObjectInstance {
  /** The function's name, or `$` and a variable's. */
  readonly name: string;
  /** Absent when none were given. */
  readonly args: readonly Value[] | undefined;

  constructor(name: string, args?: readonly Value[]) {
    super(
      DEFERRED_TYPE,
      new Map<string, Value>([
        ['name', name],
        ['arguments', args ?? null],
      ]),
    );
    this.name = name;
    this.args = args;
  }
}

/** What went wrong, as a value. */
export class ErrorValue extends ObjectInstance {
  constructor(message: string, kind: Value = null, details: Value = null, issueCode: Value = null) {
    super(
      ERROR_TYPE,
      new Map<string, Value>([
        ['msg', message],
        ['kind', kind],
        ['details', details],
        ['issue_code', issueCode],
      ]),
    );
  }
}

/** The instance of `type` with these attributes, as the class that stands for the type here. */
export function makeInstance(
  type: ObjectInstance['type'],
  given: ReadonlyMap<string, Value>,
): ObjectInstance {
  if (type === DEFERRED_TYPE) {
    const args = given.get('arguments') ?? null;
    return new DeferredValue(String(given.get('name')), isArray(args) ? args : undefined);
  }
  if (type !== ERROR_TYPE) return new ObjectInstance(type, given);
  const [message, kind, details, code] = ['msg', 'kind', 'details', 'issue_code'].map(
    (name) => given.get(name) ?? null,
  );
  return new ErrorValue(String(message), kind, details, code);
}
