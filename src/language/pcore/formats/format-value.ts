/** `String.new(value, formats)` */

import { fault } from '../fault.ts';
import { inferDetailed } from '../infer.ts';
import { PuppetType } from '../puppet-type.ts';
import { rubyClassName } from '../resolution/ruby-class-name.ts';
import { ArrayType } from '../types/array-type.ts';
import { HashType } from '../types/hash-type.ts';
import { FloatType, NumericType } from '../types/number-types.ts';
import { ObjectExtensionType, ObjectType } from '../types/object-type.ts';
import { BinaryType } from '../types/opaque-types.ts';
import { AnyType } from '../types/plain-types.ts';
import { isArray, isDefault, PuppetHash, type Value } from '../value.ts';
import { IteratorValue } from '../values/iterator-value.ts';
import { formatArray, formatHash, type Indentation } from './format-collection.ts';
import { formatScalar } from './format-scalar.ts';
import {
  type FormatMap,
  mergeFormatMaps,
  parseFormat,
  parseFormatMap,
  type StringFormat,
} from './string-format.ts';

const INSIDE: FormatMap = [[AnyType.DEFAULT, parseFormat('%p')]];

/** By type, the more special first; made once, when it is first needed. */
class Defaults {
  private known: FormatMap | undefined;
  get map(): FormatMap {
    this.known ??= [
      [ObjectType.DEFAULT, parseFormat('%p')],
      [FloatType.DEFAULT, parseFormat('%f')],
      [NumericType.DEFAULT, parseFormat('%d')],
      [ArrayType.DEFAULT, { ...parseFormat('%a'), separator: ', ', separator2: ', ', inner: INSIDE }],
      [HashType.DEFAULT, { ...parseFormat('%h'), separator: ', ', separator2: ' => ', inner: INSIDE }],
      [BinaryType.DEFAULT, parseFormat('%B')],
      [AnyType.DEFAULT, parseFormat('%s')],
    ];
    return this.known;
  }
}
const DEFAULTS = new Defaults();

/**
 * @param formats - absent or `default`; one format for the value; or a Hash from types to formats
 * @throws PuppetError when a format is wrong, or not for the type of the value
 */
export function formatValue(value: Value, formats?: Value): string {
  const type = inferDetailed(value);
  return formatWith(value, type, formatsFor(type, formats), { level: 0, isFirst: true, isIndenting: false });
}

function formatsFor(type: PuppetType, formats: Value | undefined): FormatMap {
  if (formats === undefined || isDefault(formats)) return DEFAULTS.map;
  if (typeof formats === 'string') {
    return mergeFormatMaps(DEFAULTS.map, [[mapKey(type), parseFormat(formats)]]) ?? [];
  }
  if (formats instanceof PuppetHash) return mergeFormatMaps(DEFAULTS.map, parseFormatMap(formats)) ?? [];
  const got = rubyClassName(formats);
  throw fault(
    `string conversion expects a Default value or a Hash of type to format mappings, got a '${got}'`,
  );
}

/** A single format is for all arrays or all hashes when the value is one. */
function mapKey(type: PuppetType): PuppetType {
  if (ArrayType.DEFAULT.isAssignable(type)) return ArrayType.DEFAULT;
  return HashType.DEFAULT.isAssignable(type) ? HashType.DEFAULT : type;
}

export function formatWith(
  value: Value,
  type: PuppetType,
  formats: FormatMap,
  indentation: Indentation,
): string {
  if (value instanceof IteratorValue) {
    const items = value.toArray();
    return formatWith(items, inferDetailed(items), formats, indentation);
  }
  // The reference looks for the format of an object's type without its parameters.
  const format = findFormat(type instanceof ObjectExtensionType ? type.base : type, formats);
  const formatInner = (item: Value, inner: FormatMap, deeper: Indentation): string => {
    const itemType = inferDetailed(item);
    return formatWith(item, itemType, isContainer(itemType) ? formats : inner, deeper);
  };
  const context = { format, inner: format.inner ?? INSIDE, indentation, formatInner };
  if (isArray(value)) return formatArray(value, context);
  if (value instanceof PuppetHash) {
    if (format.letter !== 'a') return formatHash(value, context);
    const pairs: readonly Value[] = [...value].map(([key, item]) => [key, item]);
    return formatWith(pairs, inferDetailed(pairs), formats, indentation);
  }
  return formatScalar(value, format, indentation);
}

function findFormat(type: PuppetType, formats: FormatMap): StringFormat {
  return formats.find(([wanted]) => wanted.isAssignable(type))?.[1] ?? parseFormat('%s');
}

function isContainer(type: PuppetType): boolean {
  return ['Array', 'Hash', 'Struct', 'Tuple', 'Object'].includes(type.kind);
}
