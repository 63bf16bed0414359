/** Checks of values against types, with the reference's messages. */

import { Float, infer, isArray, isInteger, PuppetHash, type Value } from '../pcore/index.ts';
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

function isRichData(value: Value): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (isArray(value)) return value.every(isRichData);
  if (!(value instanceof PuppetHash)) return true;
  for (const [key, item] of value) if (!isRichDataKey(key) || !isRichData(item)) return false;
  return true;
}

function isRichDataKey(key: Value): boolean {
  return typeof key === 'string' || isInteger(key) || key instanceof Float;
}
