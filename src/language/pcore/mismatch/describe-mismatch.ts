/** Whole messages about values and parameters that do not fit. */

import { inferDetailed } from '../infer.ts';
import type { PuppetType } from '../puppet-type.ts';
import type { StructType } from '../types/struct-type.ts';
import type { PuppetHash, Value } from '../value.ts';
import { describe } from './describe.ts';
import { type Mismatch, renderMismatch } from './mismatch.ts';

/** `NAME expects an Integer value, got String`; several sentences on lines of their own; `''` when it fits. */
export function describeMismatch(name: string, expected: PuppetType, actual: PuppetType): string {
  const mismatches = describe(expected, actual, [{ kind: 'subject', key: name }]);
  const [only] = mismatches;
  if (mismatches.length === 1 && only !== undefined) return renderMismatch(only).trim();
  return mismatches.map(renderMismatch).join('\n ');
}

export interface ParameterCheck {
  /** Before the colon: `Class[Foo]`. */
  readonly subject: string;
  /** One element for each parameter. */
  readonly parameters: StructType;
  readonly given: PuppetHash;
  /** Parameters may be missing, as they may get their values later. */
  readonly isMissingAllowed?: boolean;
  /** The type that stands for a value, where it is not the value's own: the result of a `Deferred`. */
  readonly typeOf?: (value: Value) => PuppetType | undefined;
}

/** The message about parameters that are missing, unknown or of a wrong type; `undefined` when all is well. */
export function describeParameters(check: ParameterCheck): string | undefined {
  const mismatches: Mismatch[] = [];
  for (const name of check.given.keys()) {
    if (check.parameters.find(String(name)) === undefined) {
      mismatches.push({ kind: 'invalid-parameter', path: [], key: String(name) });
    }
  }
  for (const { name, valueType, isOptional } of check.parameters.elements) {
    const value = check.given.get(name);
    if (value !== undefined) mismatches.push(...describeParameter(check, name, valueType, value));
    else if (check.isMissingAllowed !== true && !isOptional) {
      mismatches.push({ kind: 'missing-parameter', path: [], key: name });
    }
  }
  return message(check.subject, mismatches);
}

function describeParameter(
  { typeOf }: ParameterCheck,
  name: string,
  type: PuppetType,
  value: Value,
): readonly Mismatch[] {
  const path = [{ kind: 'parameter', key: name }] as const;
  const standIn = typeOf?.(value);
  if (standIn !== undefined) {
    return type.generalize().isAssignable(standIn.generalize()) ? [] : describe(type, standIn, path);
  }
  return type.isInstance(value) ? [] : describe(type, inferDetailed(value), path);
}

function message(subject: string, mismatches: readonly Mismatch[]): string | undefined {
  if (mismatches.length === 0) return undefined;
  const sentences = mismatches.map(renderMismatch);
  return sentences.length === 1 ? `${subject}:${sentences[0]}` : `${subject}:\n ${sentences.join('\n ')}`;
}
