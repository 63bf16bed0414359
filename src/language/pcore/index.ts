/** The front door of the type system: values, types, conversions, formats, rich data. */

export { compare, equals, equivalentTypes, isTruthy } from './comparison/equality.ts';
export { includes, type MatchObserver, matches } from './comparison/match.ts';
export type { NewContext } from './conversions/constructor.ts';
export { constructorSignatures } from './conversions/constructors.ts';
export { newInstance } from './conversions/new-instance.ts';
export { escapeRegexp } from './conversions/new-other.ts';
export { parseNumeric } from './conversions/number-text.ts';
export { parseTimespan } from './conversions/timespan-parsing.ts';
export { parseTimestamp } from './conversions/timestamp-parsing.ts';
export { zoneOffset } from './conversions/zone-offset.ts';
export { fault } from './fault.ts';
export { formatValue } from './formats/format-value.ts';
export { inspect, inspectText } from './formats/inspect.ts';
export { plainText } from './formats/plain-text.ts';
export { programText } from './formats/program-text.ts';
export { formatFloat, formatInteger, formatText } from './formats/ruby-format.ts';
export { stringify } from './formats/stringify.ts';
export { generalize, infer, inferDetailed, inferGeneric } from './infer.ts';
export { assertInstance } from './mismatch/assert-instance.ts';
export {
  describeDefault,
  describeMismatch,
  describeParameters,
  type ParameterCheck,
} from './mismatch/describe-mismatch.ts';
export { describeSignatures, type Signature, signatureText } from './mismatch/describe-signatures.ts';
export { PuppetType, type TypeStyle } from './puppet-type.ts';
export { checkType, declareType } from './resolution/declare-type.ts';
export {
  interpretExpression,
  NO_ALIASES,
  resolveTypeExpression,
  type TypeResolver,
} from './resolution/interpret.ts';
export { findBuiltinType } from './resolution/named-types.ts';
export { parameterizeType } from './resolution/parameterize.ts';
export { parseType, TypeParser } from './resolution/parse-type.ts';
export { rubyClassName } from './resolution/ruby-class-name.ts';
export { objectOf, structOf } from './resolution/type-factory.ts';
export { TypeParameterError } from './resolution/type-parameter-error.ts';
export { typeSetOf } from './resolution/type-set.ts';
export { type FromDataOptions, fromData } from './serialization/from-rich-data.ts';
export { type RichData, renderJson, toPlainData } from './serialization/json-text.ts';
export { type RichDataOptions, toData, toRichData } from './serialization/to-rich-data.ts';
export { AliasType, withoutAlias } from './types/alias-type.ts';
export { ArrayType } from './types/array-type.ts';
export { BooleanType } from './types/boolean-type.ts';
export type { Bound } from './types/bound.ts';
export { DATA, RICH_DATA, RICH_DATA_KEY } from './types/builtin-aliases.ts';
export { DEFERRED_TYPE, ERROR_TYPE } from './types/builtin-objects.ts';
export { CallableType } from './types/callable-type.ts';
export { CollectionType } from './types/collection-type.ts';
export { commonType } from './types/common-type.ts';
export { ContainingType } from './types/containing-type.ts';
export { EnumType } from './types/enum-type.ts';
export { HashType } from './types/hash-type.ts';
export { InitType } from './types/init-type.ts';
export { IterableType, IteratorType } from './types/iterable-types.ts';
export { FloatType, IntegerType, NumericType } from './types/number-types.ts';
export type { ObjectAttribute, ObjectFunction } from './types/object-definition.ts';
export { ObjectExtensionType, ObjectType } from './types/object-type.ts';
export { BinaryType, RuntimeType, SensitiveType, UriType } from './types/opaque-types.ts';
export { NotUndefType, OptionalType } from './types/optional-types.ts';
export { PatternType } from './types/pattern-type.ts';
export { AnyType, CatalogEntryType, DefaultType, UndefType, UnitType } from './types/plain-types.ts';
export { ClassType, capitalizeSegments, ResourceType, TypeReferenceType } from './types/reference-types.ts';
export { RegexpType } from './types/regexp-type.ts';
export { ScalarDataType, ScalarType } from './types/scalar-types.ts';
export { SemVerRangeType, SemVerType } from './types/semver-types.ts';
export { StringType } from './types/string-type.ts';
export { StructElement, StructType } from './types/struct-type.ts';
export { TimespanType, TimestampType } from './types/time-types.ts';
export { TupleType } from './types/tuple-type.ts';
export { TypeSetType } from './types/type-set-type.ts';
export { TypeType } from './types/type-type.ts';
export { VariantType } from './types/variant-type.ts';
export * from './value.ts';
export { BinaryValue } from './values/binary-value.ts';
export { DeferredValue, ErrorValue } from './values/builtin-instances.ts';
export { asciiCaseCompare, asciiCaseEquals } from './values/case-compare.ts';
export { characterCount } from './values/character-count.ts';
export { rubyFloat } from './values/float-text.ts';
export { invokeMember } from './values/invoke-member.ts';
export { iterableOf } from './values/iterable-of.ts';
export { IntegerRange, IteratorValue } from './values/iterator-value.ts';
export { ObjectInstance } from './values/object-instance.ts';
export { puppetQuote } from './values/quote.ts';
export { RegexpValue } from './values/regexp-value.ts';
export { SemVerRangeValue } from './values/semver-range-value.ts';
export { SemVerValue } from './values/semver-value.ts';
export { SensitiveValue } from './values/sensitive-value.ts';
export { NANOSECONDS_PER_SECOND, TimeValue } from './values/time-value.ts';
export { type TimespanFields, TimespanValue } from './values/timespan-value.ts';
export { TimestampValue } from './values/timestamp-value.ts';
export { type UriParts, UriValue } from './values/uri-value.ts';
