/** The formats of `String.new`: one directive, and maps from types to them. */

import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import { rubyClassName } from '../resolution/ruby-class-name.ts';
import { PuppetHash, type Value } from '../value.ts';
import { inspect } from './inspect.ts';

const PATTERN = /^%([\s[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/;
const DELIMITERS = ['[', '{', '(', '<', '|'] as const;
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  '[': ['[', ']'],
  '{': ['{', '}'],
  '(': ['(', ')'],
  '<': ['<', '>'],
  '|': ['|', '|'],
};

export interface StringFormat {
  /** As written: `%#6x`. */
  readonly text: string;
  readonly letter: string;
  readonly isAlternate: boolean;
  readonly isLeft: boolean;
  readonly isSpaced: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly delimiter: string | undefined;
  readonly separator?: string;
  readonly separator2?: string;
  /** The formats of its elements. */
  readonly inner?: FormatMap;
}

/** The first type that a value's type is assignable to gives its format. */
export type FormatMap = readonly (readonly [PuppetType, StringFormat])[];

/** @throws PuppetError when the text is no format */
export function parseFormat(text: string): StringFormat {
  const found = PATTERN.exec(text);
  if (found === null) {
    throw fault(`The format '${text}' is not a valid format on the form '%<flags><width>.<prec><format>'`);
  }
  const [, flags = '', width, precision, letter = ''] = found;
  if (new Set(flags).size !== flags.length) throw fault(`The same flag can only be used once, got '${text}'`);
  const delimiters = DELIMITERS.filter((delimiter) => flags.includes(delimiter));
  if (delimiters.length > 1) {
    throw fault(`Only one of the delimiters [ { ( < | can be given in the format flags, got '${text}'`);
  }
  return {
    text,
    letter,
    isAlternate: flags.includes('#'),
    isLeft: flags.includes('-'),
    isSpaced: flags.includes(' '),
    width: width === undefined ? undefined : Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    delimiter: delimiters[0],
  };
}

/** The brackets around a collection. */
export function delimitersOf(
  format: StringFormat,
  fallback: readonly [string, string],
): readonly [string, string] {
  if (format.delimiter !== undefined) return PAIRS[format.delimiter] ?? fallback;
  return format.isSpaced ? ['', ''] : fallback;
}

/** @throws PuppetError naming what is wrong in the map */
export function parseFormatMap(map: PuppetHash): FormatMap {
  return [...map].map(([type, format]) => {
    if (!(type instanceof PuppetType)) {
      throw fault(
        `top level keys in the format hash must be data types, got instance of '${rubyClassName(type)}'`,
      );
    }
    return [type, format instanceof PuppetHash ? parseContainerFormat(format) : parseFormat(String(format))];
  });
}

const CONTAINER_KEYS = ['separator', 'separator2', 'format', 'string_formats'];

function parseContainerFormat(hash: PuppetHash): StringFormat {
  if ([...hash.keys()].some((key) => typeof key !== 'string' || !CONTAINER_KEYS.includes(key))) {
    const allowed = CONTAINER_KEYS.map((key) => `'${key}'`).join(', ');
    throw fault(`only ${allowed} are allowed in a container format, got ${inspect(hash)}`);
  }
  const inner = hash.get('string_formats');
  const base = parseFormat(textAt(hash, 'format') ?? '');
  const [separator, separator2] = [textAt(hash, 'separator'), textAt(hash, 'separator2')];
  return {
    ...base,
    ...(separator === undefined ? {} : { separator }),
    ...(separator2 === undefined ? {} : { separator2 }),
    ...(inner instanceof PuppetHash ? { inner: parseFormatMap(inner) } : {}),
  };
}

function textAt(hash: PuppetHash, key: string): string | undefined {
  const value: Value | undefined = hash.get(key);
  return typeof value === 'string' ? value : undefined;
}

function mergeFormats(
  lower: StringFormat | undefined,
  higher: StringFormat | undefined,
): StringFormat | undefined {
  if (lower === undefined || higher === undefined) return lower ?? higher;
  const separator = higher.separator ?? lower.separator;
  const separator2 = higher.separator2 ?? lower.separator2;
  const inner = mergeFormatMaps(lower.inner, higher.inner);
  return {
    ...higher,
    ...(separator === undefined ? {} : { separator }),
    ...(separator2 === undefined ? {} : { separator2 }),
    ...(inner === undefined ? {} : { inner }),
  };
}

/** What is in `higher` wins over what is more special in `lower`. */
export function mergeFormatMaps(
  lower: FormatMap | undefined,
  higher: FormatMap | undefined,
): FormatMap | undefined {
  if (lower === undefined || higher === undefined) return lower ?? higher;
  const kept = lower.filter(
    ([type]) => !higher.some(([other]) => !other.equals(type) && other.isAssignable(type)),
  );
  const types = new Map([...kept, ...higher].map(([type]) => [type.equalityKey(), type]));
  const find = (map: FormatMap, type: PuppetType): StringFormat | undefined =>
    map.find(([other]) => other.equals(type))?.[1];
  const merged: (readonly [PuppetType, StringFormat])[] = [];
  for (const type of types.values()) {
    const format = mergeFormats(find(kept, type), find(higher, type));
    if (format !== undefined) merged.push([type, format]);
  }
  return sortFormats(merged);
}

const RANKS: Readonly<Record<string, number>> = {
  Struct: 1,
  Hash: 2,
  Tuple: 3,
  Array: 4,
  Pattern: 10,
  Enum: 11,
  String: 12,
};

/**
 * The more special type first. The order of types that have nothing in common contradicts that now and then, so the
 * result depends on who is compared with whom: as in the reference's sort, which halves and merges.
 */
function sortFormats(formats: FormatMap): FormatMap {
  if (formats.length < 2) return formats;
  const half = Math.floor(formats.length / 2);
  const [left, right] = [[...sortFormats(formats.slice(0, half))], [...sortFormats(formats.slice(half))]];
  const sorted: (readonly [PuppetType, StringFormat])[] = [];
  for (let [first, second] = [left[0], right[0]]; first !== undefined && second !== undefined; ) {
    const side = compareTypes(first[0], second[0]) <= 0 ? left : right;
    sorted.push(side === left ? first : second);
    side.shift();
    [first, second] = [left[0], right[0]];
  }
  return [...sorted, ...left, ...right];
}

function compareTypes(a: PuppetType, b: PuppetType): number {
  if (a.equals(b)) return 0;
  const isWider = a.isAssignable(b);
  const isNarrower = b.isAssignable(a);
  if (isNarrower !== isWider) return isNarrower ? -1 : 1;
  const [rankA, rankB] = [RANKS[a.kind] ?? 0, RANKS[b.kind] ?? 0];
  if (rankA !== 0 && rankB !== 0) return rankA - rankB;
  const [textA, textB] = [a.toString(), b.toString()];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

/** @throws PuppetError `Illegal format ...` */
export function illegalFormat(typeName: string, format: StringFormat, expected: string): Error {
  return fault(
    `Illegal format '${format.letter}' specified for value of ${typeName} type - expected one of the characters '${expected}'`,
  );
}
