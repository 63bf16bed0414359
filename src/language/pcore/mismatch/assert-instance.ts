import { fault } from '../fault.ts';
import { inferDetailed } from '../infer.ts';
import type { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { describeMismatch } from './describe-mismatch.ts';

/**
 * Returns `value` when it is an instance of `type`.
 *
 * @param subject - what the value is, for the message
 * @throws PuppetError `SUBJECT has wrong type, expects ... got ...`
 */
export function assertInstance(subject: string, type: PuppetType, value: Value): Value {
  if (type.isInstance(value)) return value;
  throw fault(describeMismatch(`${subject} has wrong type,`, type, inferDetailed(value)), 'type_mismatch');
}
