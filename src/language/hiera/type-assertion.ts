/** Checks of values against types, with the reference's messages. */

import {
  describeMismatch,
  Float,
  infer,
  isArray,
  isInteger,
  isText,
  OpaqueValue,
  PuppetHash,
  type PuppetType,
  parseType,
  RuntimeType,
  type Value,
} from '../pcore/index.ts';
import { plainError } from './lookup-error.ts';

/**
 * Values of data files and backends must be `RichData`.
 *
 * @param describe - where the value comes from; called for the message only
 * @throws PuppetError
 */
export function assertLookupValue(value: Value, describe: () => string): void {
  if (isRichData(value)) return;
  throw plainError(
    `${describe()} has wrong type, expects Puppet::LookupValue, got ${infer(value).toString()}`,
  );
}

/**
 * What a backend is declared to return must be data, whatever it returns.
 *
 * @throws PuppetError
 */
export function assertReturnType(functionKind: string, functionName: string, declared: PuppetType): void {
  const expected = parseType(functionKind === 'data_hash' ? 'Hash[RichDataKey, RichData]' : 'RichData');
  // Of a function that may return anything, nothing is declared.
  if (declared.toString() === 'Any' || expected.accepts(declared)) return;
  const subject = `Return type of '${functionKind}' function named '${functionName}' is incorrect,`;
  throw plainError(describeMismatch(subject, expected, declared));
}

function isRichData(value: Value): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (isArray(value)) return value.every(isRichData);
  // Symbols and other objects of Ruby are no data.
  if (value instanceof OpaqueValue) return !(value.inferType() instanceof RuntimeType);
  if (!(value instanceof PuppetHash)) return true;
  for (const [key, item] of value) if (!isRichDataKey(key) || !isRichData(item)) return false;
  return true;
}

function isRichDataKey(key: Value): boolean {
  return isText(key) || isInteger(key) || key instanceof Float;
}
