/** One way in which a type does not fit another, and how it is said. */

import type { PuppetType } from '../puppet-type.ts';
import { IntegerType } from '../types/number-types.ts';
import { VariantType } from '../types/variant-type.ts';
import { patternText, typeText } from './type-text.ts';

export interface PathElement {
  readonly kind:
    | 'subject'
    | 'entry'
    | 'key'
    | 'parameter'
    | 'return'
    | 'block'
    | 'index'
    | 'variant'
    | 'signature';
  readonly key: string | number;
}
export type Path = readonly PathElement[];

interface AtPath {
  readonly path: Path;
}
export interface KeyMismatch extends AtPath {
  readonly kind: 'missing-key' | 'missing-parameter' | 'extraneous-key' | 'invalid-parameter' | 'unresolved';
  readonly key: string;
}
export interface BlockMismatch extends AtPath {
  readonly kind: 'unexpected-block' | 'missing-block';
}
export interface TypeMismatch extends AtPath {
  readonly kind: 'type' | 'pattern';
  readonly expected: PuppetType;
  readonly actual: PuppetType;
}
export interface SizeMismatch extends AtPath {
  readonly kind: 'size' | 'count';
  readonly expected: IntegerType;
  readonly actual: IntegerType;
}
export type Mismatch = KeyMismatch | BlockMismatch | TypeMismatch | SizeMismatch;

export function typeMismatch(
  path: Path,
  expected: PuppetType | readonly PuppetType[],
  actual: PuppetType,
  kind: TypeMismatch['kind'] = 'type',
): TypeMismatch {
  const type = 'isInstance' in expected ? expected : VariantType.of(expected);
  return { kind, path, expected: type.normalize(), actual: actual.normalize() };
}

const ELEMENT_TEXT: Readonly<Record<PathElement['kind'], (key: string | number) => string>> = {
  subject: String,
  entry: (key) => `entry '${key}'`,
  key: (key) => `key of entry '${key}'`,
  parameter: (key) => `parameter '${key}'`,
  return: String,
  block: String,
  index: (key) => `index ${key}`,
  variant: (key) => `variant ${key}`,
  signature: (key) => `${Number(key) + 1}.`,
};

/** The mismatch as a sentence that begins with a space and the path. */
export function renderMismatch(mismatch: Mismatch): string {
  const [first, ...rest] = mismatch.path;
  const isSignature = first?.kind === 'signature';
  const elements = isSignature ? rest : mismatch.path;
  const variant = isSignature ? ` ${ELEMENT_TEXT.signature(first.key)}` : '';
  const position = elements.map((element) => ELEMENT_TEXT[element.kind](element.key)).join(' ');
  return `${variant}${position === '' ? '' : ` ${position}`} ${statement(mismatch)}`;
}

function statement(mismatch: Mismatch): string {
  switch (mismatch.kind) {
    case 'missing-key':
      return `expects a value for key '${mismatch.key}'`;
    case 'missing-parameter':
      return `expects a value for parameter '${mismatch.key}'`;
    case 'extraneous-key':
      return `unrecognized key '${mismatch.key}'`;
    case 'invalid-parameter':
      return `has no parameter named '${mismatch.key}'`;
    case 'unresolved':
      return `references an unresolved type '${mismatch.key}'`;
    case 'unexpected-block':
      return 'does not expect a block';
    case 'missing-block':
      return 'expects a block';
    case 'type':
      return typeText(mismatch.expected, mismatch.actual);
    case 'pattern':
      return patternText(mismatch.expected, mismatch.actual);
    case 'size':
      return `expects size to be ${rangeText(mismatch.expected, '0')}, got ${rangeText(mismatch.actual, '0')}`;
    case 'count':
      return countText(mismatch);
  }
}

function countText({ expected, actual }: SizeMismatch): string {
  const isSingular =
    (expected.from === 1 && (expected.to === 1 || expected.to === Infinity)) ||
    (expected.from <= 0 && expected.to === 1);
  return `expects ${rangeText(expected, 'no')} argument${isSingular ? '' : 's'}, got ${rangeText(actual, 'none')}`;
}

function rangeText(range: IntegerType, zero: string): string {
  const from = range.from === -Infinity ? 0 : range.from;
  if (from === range.to) return from === 0 ? zero : String(from);
  if (from === 0) return range.to === Infinity ? 'unlimited' : `at most ${range.to}`;
  return range.to === Infinity ? `at least ${from}` : `between ${from} and ${range.to}`;
}

function isVarying(element: PathElement): boolean {
  return element.kind === 'variant' || element.kind === 'signature';
}

/** Equal for mismatches at the same place, in whatever variant. */
export function placeKey(mismatch: Mismatch): string {
  const elements = mismatch.path.filter((element) => !isVarying(element));
  return elements.map((element) => `${element.kind}:${element.key}`).join('/');
}

/** Without the path element at `index`. */
export function chopPath<T extends Mismatch>(mismatch: T, index: number): T {
  if (index >= mismatch.path.length) return mismatch;
  return { ...mismatch, path: mismatch.path.filter((_, at) => at !== index) };
}

/** Two mismatches of one family at one place as one. */
export function mergeMismatches(a: Mismatch, b: Mismatch): Mismatch {
  if ((a.kind === 'size' || a.kind === 'count') && (b.kind === 'size' || b.kind === 'count')) {
    const from = a.expected.from < b.expected.from ? a.expected.from : b.expected.from;
    const to = a.expected.to > b.expected.to ? a.expected.to : b.expected.to;
    return { ...a, expected: new IntegerType(from, to) };
  }
  if ((a.kind === 'type' || a.kind === 'pattern') && (b.kind === 'type' || b.kind === 'pattern')) {
    return typeMismatch(a.path, [a.expected, b.expected], a.actual, a.kind);
  }
  return a;
}
