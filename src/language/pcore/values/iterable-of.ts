import { inferDetailed } from '../infer.ts';
import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { IntegerType } from '../types/number-types.ts';
import { UnitType } from '../types/plain-types.ts';
import { StringType } from '../types/string-type.ts';
import { TupleType } from '../types/tuple-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { ByteString, charactersOf } from './byte-string.ts';
import { IntegerRange, IteratorValue } from './iterator-value.ts';

/** What a value gives when it is iterated over; `undefined` when it cannot be. */
export function iterableOf(value: Value): IteratorValue | undefined {
  if (value instanceof IteratorValue) return value;
  if (typeof value === 'string')
    return new IteratorValue(StringType.ofSize(new IntegerType(1, 1)), () => Array.from(value));
  if (value instanceof ByteString)
    return new IteratorValue(StringType.ofSize(new IntegerType(1, 1)), () => charactersOf(value));
  if (isArray(value)) return new IteratorValue(elementsOf(value), () => value);
  if (value instanceof PuppetHash) return iteratorOfHash(value);
  if (isInteger(value)) return iteratorBelow(Number(value));
  if (value instanceof IntegerType) {
    return value.isFinite ? new IntegerRange(Number(value.from), Number(value.to)).toIterator() : undefined;
  }
  if (value instanceof EnumType) return new IteratorValue(value, () => value.values);
  return value instanceof AliasType ? iterableOf(value.resolved) : undefined;
}

function iteratorBelow(count: number): IteratorValue | undefined {
  if (count === 0) return new IteratorValue(UnitType.DEFAULT, () => []);
  return count > 0 ? new IntegerRange(0, count - 1).toIterator() : undefined;
}

function elementsOf(values: readonly Value[]): PuppetType {
  return values.length === 0 ? UnitType.DEFAULT : VariantType.of(values.map(inferDetailed));
}

function iteratorOfHash(hash: PuppetHash): IteratorValue {
  const types = [elementsOf([...hash.keys()]), elementsOf([...hash.values()])];
  const element = new TupleType(types, new IntegerType(2, 2));
  return new IteratorValue(element, () => [...hash].map(([key, item]) => [key, item]), true);
}
