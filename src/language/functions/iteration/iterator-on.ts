import {
  AliasType,
  EnumType,
  IntegerRange,
  IntegerType,
  IteratorValue,
  inferDetailed,
  isArray,
  isInteger,
  PuppetHash,
  type PuppetType,
  StringType,
  TupleType,
  UnitType,
  type Value,
  VariantType,
} from '../../pcore/index.ts';

const ONE_CHARACTER = new StringType(new IntegerType(1, 1));
const TWO = new IntegerType(2, 2);
const EMPTY_ENTRY = new TupleType([UnitType.DEFAULT, UnitType.DEFAULT], TWO);

/** An iterator over something iterable, which knows the type of its elements; an iterator is its own. */
export function iteratorOn(value: Value): IteratorValue {
  if (value instanceof IteratorValue) return value;
  if (isArray(value)) return new IteratorValue(elementType(value), () => value);
  if (value instanceof PuppetHash) return new IteratorValue(entryType(value), () => value.entries(), true);
  if (typeof value === 'string') return new IteratorValue(ONE_CHARACTER, () => Array.from(value));
  if (isInteger(value)) return integersBelow(Number(value));
  if (value instanceof IntegerType)
    return new IntegerRange(Number(value.from), Number(value.to)).toIterator();
  if (value instanceof EnumType) return new IteratorValue(value, () => value.values);
  return value instanceof AliasType ? iteratorOn(value.resolved) : new IteratorValue(undefined, () => []);
}

function elementType(values: readonly Value[]): PuppetType {
  return values.length === 0 ? UnitType.DEFAULT : VariantType.of(values.map(inferDetailed));
}

function entryType(hash: PuppetHash): PuppetType {
  if (hash.size === 0) return EMPTY_ENTRY;
  return new TupleType([elementType([...hash.keys()]), elementType([...hash.values()])], TWO);
}

function integersBelow(count: number): IteratorValue {
  return count === 0
    ? new IteratorValue(UnitType.DEFAULT, () => [])
    : new IntegerRange(0, count - 1).toIterator();
}
