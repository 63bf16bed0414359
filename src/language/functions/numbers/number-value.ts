import { type IntegerValue, integer } from '../../pcore/index.ts';

/** A float that is a whole number, however large, as an integer. */
export function wholeNumber(value: number): IntegerValue {
  return Number.isSafeInteger(value) ? (value === 0 ? 0 : value) : integer(BigInt(value));
}
