/** The front door of the type system: values, types, conversions, formats, rich data. */

export { compare, equals, equivalentTypes } from './comparison/equality.ts';
export { includes, matches } from './comparison/match.ts';
export { newInstance } from './conversions/new-instance.ts';
export { zoneOffset } from './conversions/zone-offset.ts';
export { fault } from './fault.ts';
export { inspect, inspectText } from './formats/inspect.ts';
export { plainText } from './formats/plain-text.ts';
export { programText } from './formats/program-text.ts';
export { formatFloat, formatInteger, formatText } from './formats/ruby-format.ts';
export { stringify } from './formats/stringify.ts';
export { textWithBytes } from './formats/text-with-bytes.ts';
export { infer, inferDetailed, inferGeneric } from './infer.ts';
export { assertInstance } from './mismatch/assert-instance.ts';
export {
  describeMismatch,
  describeParameters,
} from './mismatch/describe-mismatch.ts';
export { describeSignatures } from './mismatch/describe-signatures.ts';
export { PuppetType } from './puppet-type.ts';
export { checkType, declareType } from './resolution/declare-type.ts';
export {
  NO_ALIASES,
  type TypeResolver,
} from './resolution/interpret.ts';
export { findBuiltinType } from './resolution/named-types.ts';
export { parameterizeType } from './resolution/parameterize.ts';
export { parseType } from './resolution/parse-type.ts';
export { rubyClassName } from './resolution/ruby-class-name.ts';
export { treeText } from './resolution/tree-text.ts';
export { TypeParameterError } from './resolution/type-parameter-error.ts';
export { fromData } from './serialization/from-rich-data.ts';
export { renderJson } from './serialization/json-text.ts';
export { toData } from './serialization/to-rich-data.ts';
export { AliasType } from './types/alias-type.ts';
export { ArrayType } from './types/array-type.ts';
export { CallableType } from './types/callable-type.ts';
export { commonType } from './types/common-type.ts';
export { EnumType } from './types/enum-type.ts';
export { IntegerType } from './types/number-types.ts';
export { ObjectType } from './types/object-type.ts';
export { RuntimeType } from './types/opaque-types.ts';
export { OptionalType } from './types/optional-types.ts';
export { PatternType } from './types/pattern-type.ts';
export { AnyType, UndefType, UnitType } from './types/plain-types.ts';
export { ClassType, capitalizeSegments, ResourceType, TypeReferenceType } from './types/reference-types.ts';
export { RegexpType } from './types/regexp-type.ts';
export { StringType } from './types/string-type.ts';
export { StructElement, StructType } from './types/struct-type.ts';
export { TupleType } from './types/tuple-type.ts';
export { TypeSetType } from './types/type-set-type.ts';
export { TypeType } from './types/type-type.ts';
export { VariantType } from './types/variant-type.ts';
export * from './value.ts';
export { BinaryValue } from './values/binary-value.ts';
export { DeferredValue, ErrorValue } from './values/builtin-instances.ts';
export {
  ByteString,
  charactersOf,
  isAscii,
  isText,
  joinTexts,
  subjectOf,
  textOf,
  textOfBytes,
} from './values/byte-string.ts';
export { characterCount } from './values/character-count.ts';
export { rubyFloat } from './values/float-text.ts';
export { invokeMember } from './values/invoke-member.ts';
export { iterableOf } from './values/iterable-of.ts';
export { IteratorValue } from './values/iterator-value.ts';
export { addItem, itemsOf, MOST_ITEMS } from './values/most-items.ts';
export { ObjectInstance, type ObjectMethod } from './values/object-instance.ts';
export { RegexpValue } from './values/regexp-value.ts';
export { SemVerRangeValue } from './values/semver-range-value.ts';
export { SemVerValue } from './values/semver-value.ts';
export { SensitiveValue } from './values/sensitive-value.ts';
export { TimespanValue } from './values/timespan-value.ts';
export { TimestampValue } from './values/timestamp-value.ts';
export { UriValue } from './values/uri-value.ts';
