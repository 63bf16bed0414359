/** Makes types from parameters as they are written; what is wrong in general is refused here. */

import { parseTimespan, timespanFromHash } from '../conversions/timespan-parsing.ts';
import { parseTimestamp, timestampFromHash } from '../conversions/timestamp-parsing.ts';
import { fault } from '../fault.ts';
import { inspect } from '../formats/inspect.ts';
import { inferGeneric } from '../infer.ts';
import { assertInstance } from '../mismatch/assert-instance.ts';
import { PuppetType } from '../puppet-type.ts';
import type { Bound } from '../types/bound.ts';
import { CallableType } from '../types/callable-type.ts';
import { EnumType } from '../types/enum-type.ts';
import { FloatType, IntegerType } from '../types/number-types.ts';
import { QUALIFIED_REFERENCE } from '../types/object-definition-types.ts';
import { ObjectExtensionType, ObjectType } from '../types/object-type.ts';
import { RuntimeType, UriType } from '../types/opaque-types.ts';
import { NotUndefType, OptionalType } from '../types/optional-types.ts';
import { PatternType } from '../types/pattern-type.ts';
import { UndefType, UnitType } from '../types/plain-types.ts';
import { RegexpType } from '../types/regexp-type.ts';
import { SemVerType } from '../types/semver-types.ts';
import { StringType } from '../types/string-type.ts';
import { literalKey, StructElement, StructType } from '../types/struct-type.ts';
import { TimespanType, TimestampType } from '../types/time-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import { TypeType } from '../types/type-type.ts';
import { VariantType } from '../types/variant-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { secondsToNanoseconds } from '../values/time-value.ts';
import { TimespanValue } from '../values/timespan-value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';
import { URI_PARTS, UriValue } from '../values/uri-value.ts';
import { rubyClassName } from './ruby-class-name.ts';

/** An integer, `default` or the string `'default'`. */
export function isRangeParameter(value: Value | undefined): boolean {
  return value !== undefined && (isInteger(value) || value === 'default' || isDefault(value));
}

/** A range of integers from what `isRangeParameter` accepts. */
export function rangeOf(from: Value | undefined, to: Value | undefined): IntegerType {
  return new IntegerType(boundOf(from, -Infinity), boundOf(to, Infinity));
}

function boundOf(value: Value | undefined, open: number): Bound {
  return value !== undefined && value !== null && isInteger(value) ? value : open;
}

export function floatRangeOf(from: Value | undefined, to: Value | undefined): FloatType {
  return new FloatType(floatBound(from, -Infinity), floatBound(to, Infinity));
}

function floatBound(value: Value | undefined, open: number): number {
  if (value instanceof Float) return value.value;
  return value !== undefined && isInteger(value) ? Number(value) : open;
}

/** What stands where a type is wanted: the type itself, or the type of a value. */
function typeOf(value: Value): PuppetType {
  if (value instanceof PuppetType) return value;
  return typeof value === 'string' ? runtimeOf('ruby', value) : inferGeneric(value);
}

/** @throws PuppetError when the name is neither text nor a pair of pattern and replacement */
export function runtimeOf(runtime: string, nameOrPattern: Value): RuntimeType {
  if (nameOrPattern === null) return new RuntimeType(runtime);
  const pair = new TupleType([RegexpType.DEFAULT, StringType.NON_EMPTY]);
  const type = new VariantType([StringType.NON_EMPTY, pair]);
  return new RuntimeType(runtime, assertInstance("Runtime 'name_or_pattern'", type, nameOrPattern));
}

export function tupleOf(parameters: readonly Value[], sizeType?: IntegerType): TupleType {
  return new TupleType(parameters.map(typeOf), sizeType);
}

/** `Callable[Integer, 1, 2, Callable]`, `Callable[[Integer], String]` */
export function callableOf(parameters: readonly Value[]): CallableType {
  const [first, second] = parameters;
  const hasResult = parameters.length === 2 && first !== undefined && isArray(first);
  const returnType = hasResult && second !== undefined ? typeOf(second) : undefined;
  let rest: readonly Value[] = hasResult ? first : parameters;
  const last = rest.at(-1);
  const block = last instanceof PuppetType && last.isKindOfCallable() ? last : undefined;
  if (block !== undefined) rest = rest.slice(0, -1);
  const { types: given, sizeType } = splitSize(rest);
  const types = given.map(typeOf);
  if (types.length === 0 && sizeType !== undefined && sizeType.to > 0) types.push(UnitType.DEFAULT);
  return new CallableType(new TupleType(types, sizeType), block, returnType);
}

/** Takes the one or two numbers at the end for a range of sizes. */
export function splitSize(parameters: readonly Value[]): {
  readonly types: readonly Value[];
  readonly sizeType: IntegerType | undefined;
} {
  const [from, to] = [parameters.at(-2), parameters.at(-1)];
  if (isRangeParameter(from) && isRangeParameter(to)) {
    return { types: parameters.slice(0, -2), sizeType: rangeOf(from, to) };
  }
  if (isRangeParameter(to)) return { types: parameters.slice(0, -1), sizeType: rangeOf(to, undefined) };
  return { types: parameters, sizeType: undefined };
}

/** @throws PuppetError about a key that is no single string */
export function structOf(hash: PuppetHash): StructType {
  return new StructType([...hash].map(([key, value]) => structElement(key, value)));
}

function structElement(key: Value, value: Value): StructElement {
  const valueType = typeOf(value);
  if (typeof key === 'string') {
    if (key === '') throw fault('Struct element key cannot be an empty String');
    return new StructElement(key, valueType, valueType.isAssignable(UndefType.DEFAULT));
  }
  if (key instanceof EnumType) {
    const [only] = key.values;
    if (key.values.length === 1 && only !== undefined) return new StructElement(only, valueType);
    throw illegalKey(key);
  }
  const isPossible = key instanceof NotUndefType || key instanceof OptionalType || key instanceof StringType;
  if (!isPossible) {
    const got = rubyClassName(key);
    throw fault(`Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: ${got}`);
  }
  const literal = literalKey(key);
  if (literal === undefined) throw illegalKey(key);
  return new StructElement(literal.name, valueType, literal.isOptional);
}

function illegalKey(key: PuppetType): Error {
  return fault(`Unable to extract a non-empty literal string from Struct member key type ${key.toString()}`);
}

export function patternOf(parameters: readonly Value[]): PatternType {
  return new PatternType(parameters.flatMap(patternsIn));
}

function patternsIn(parameter: Value): readonly RegexpValue[] {
  if (typeof parameter === 'string') {
    const pattern = new RegexpValue(parameter);
    pattern.compile(); // so that mistakes are found now
    return [pattern];
  }
  if (parameter instanceof RegexpValue) return [parameter];
  if (parameter instanceof RegexpType) return [parameter.pattern ?? new RegexpValue('')];
  if (parameter instanceof PatternType) return parameter.patterns;
  throw fault(
    `Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '${rubyClassName(parameter)}`,
  );
}

export function regexpOf(parameter: Value): RegexpType {
  if (parameter instanceof RegexpValue) return new RegexpType(parameter);
  return typeof parameter === 'string' ? new RegexpType(new RegexpValue(parameter)) : RegexpType.DEFAULT;
}

export function semVerOf(parameters: readonly Value[]): SemVerType {
  return new SemVerType(
    parameters.map((range) =>
      range instanceof SemVerRangeValue ? range : SemVerRangeValue.parse(String(range)),
    ),
  );
}

export function timespanOf([from, to]: readonly Value[]): TimespanType {
  return new TimespanType(timespanBound(from, -Infinity), timespanBound(to, Infinity));
}

function timespanBound(value: Value | undefined, open: number): Bound {
  if (value instanceof TimespanValue) return value.nanoseconds;
  if (typeof value === 'string') return parseTimespan(value).nanoseconds;
  if (value instanceof PuppetHash) return timespanFromHash(value).nanoseconds;
  if (value instanceof Float && Number.isFinite(value.value * 1e9)) return value.value * 1e9;
  return commonTimeBound(value, open, 'Timespan');
}

export function timestampOf([from, to]: readonly Value[]): TimestampType {
  return new TimestampType(timestampBound(from, -Infinity), timestampBound(to, Infinity));
}

function timestampBound(value: Value | undefined, open: number): Bound {
  if (value instanceof TimestampValue) return value.nanoseconds;
  if (typeof value === 'string') return parseTimestamp(value).nanoseconds;
  if (value instanceof PuppetHash) return timestampFromHash(value).nanoseconds;
  return commonTimeBound(value, open, 'Timestamp');
}

function commonTimeBound(value: Value | undefined, open: number, name: string): Bound {
  if (value === undefined || value === null || isDefault(value)) return open;
  if (isInteger(value) || value instanceof Float) return secondsToNanoseconds(value);
  throw fault(`Unable to create a Puppet::Pops::Time::${name} from a ${rubyClassName(value)}`);
}

/** Whether a value is a hash of patterns for the parts of a URI. */
export function isUriPattern(value: Value): boolean {
  const types = [PatternType.DEFAULT, EnumType.DEFAULT, NotUndefType.DEFAULT, UndefType.DEFAULT];
  const text = [StringType.NON_EMPTY, RegexpType.DEFAULT, ...types.map((type) => new TypeType(type))];
  const port = [
    IntegerType.NOT_NEGATIVE,
    new TypeType(NotUndefType.DEFAULT),
    new TypeType(UndefType.DEFAULT),
  ];
  const elements = URI_PARTS.map((name) => {
    const pattern = new VariantType(name === 'port' ? port : text);
    return new StructElement(name, new OptionalType(pattern), true);
  });
  return new StructType(elements).isInstance(value);
}

/** Matches exactly what Ruby's much longer pattern of URIs does: the rest of that one may be empty. */
const WITH_SCHEME = new PatternType([new RegexpValue(String.raw`[a-zA-Z][\-+.a-zA-Z\d]*:`)]);

/** @throws PuppetError for text without a scheme */
export function uriOf(parameter: Value): UriType {
  if (typeof parameter === 'string') {
    assertInstance('URI-Type parameter', WITH_SCHEME, parameter);
    return UriType.ofValue(UriValue.parse(parameter));
  }
  if (parameter instanceof UriValue) return UriType.ofValue(parameter);
  return parameter instanceof PuppetHash ? new UriType(parameter) : UriType.DEFAULT;
}

/** `Error['kind']`, `My::Type[{name => value}]` */
export function objectExtensionOf(base: ObjectType, parameters: readonly Value[]): ObjectExtensionType {
  const known = [...base.typeParameters.values()];
  const { label } = base;
  if (known.length === 0) throw fault(`The ${label}-Type cannot be parameterized using []`);
  const [first] = parameters;
  const given = new Map<string, Value>();
  const set = (name: string, value: Value): void => {
    const parameter = base.typeParameters.get(name);
    if (parameter === undefined) throw fault(`'${name}' is not a known type parameter for ${label}-Type`);
    if (!isDefault(value)) given.set(name, assertInstance(parameter.label, parameter.type, value));
  };
  const isNamed =
    parameters.length === 1 && first instanceof PuppetHash && known[0]?.type.isInstance(first) === false;
  if (isNamed) for (const [name, value] of first) set(String(name), value);
  else
    for (const [index, value] of parameters.slice(0, known.length).entries())
      set(known[index]?.name ?? '', value);
  if (given.size === 0)
    throw fault(`The ${label}-Type cannot be parameterized using an empty parameter list`);
  return new ObjectExtensionType(base, given);
}

/**
 * `Object[{...}]`
 *
 * @throws PuppetError in the reference's words, which are Ruby's own unless it is a hash
 */
export function objectOf(definition: Value): ObjectType {
  if (definition === null) return ObjectType.DEFAULT;
  if (definition instanceof PuppetHash)
    return definition.size === 0 ? ObjectType.DEFAULT : namedObject(definition);
  if ((typeof definition === 'string' || isArray(definition)) && definition.length === 0)
    return ObjectType.DEFAULT;
  if (typeof definition !== 'string' && !isArray(definition) && !isDefault(definition)) {
    const text = `${inspect(definition)}:${rubyClassName(definition)}`;
    throw fault(`undefined method \`empty?' for ${text}`, 'runtime_error');
  }
  assertInstance('object name', QUALIFIED_REFERENCE, definition);
  return new ObjectType(String(definition), () => undefined);
}

function namedObject(definition: PuppetHash): ObjectType {
  const name = definition.get('name');
  const type = new ObjectType(typeof name === 'string' ? name : '', () => definition);
  // Mistakes in a type that stands in an expression are found where it stands.
  void type.definition;
  return type;
}
