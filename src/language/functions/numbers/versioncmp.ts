import { compareCodePoints } from '../../../lib/code-point-order.ts';
import { fault } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/**
 * `versioncmp(a, b, ignore_trailing_zeroes)`: -1, 0 or 1 as version `a` is older than, equal to or newer than `b`.
 * Versions are any strings; numbers in them count as numbers, `-` is older than `.`, `.` older than the rest.
 */
export const versioncmp = defineFunction({
  name: 'versioncmp',
  bytes: 'shown',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'a' },
        { type: 'String', name: 'b' },
        { type: 'Boolean', name: 'ignore_trailing_zeroes', arity: 'optional' },
      ],
      call: (_context, [a, b, ignoresZeroes]) =>
        compareVersions(String(a), String(b), ignoresZeroes === true),
    },
  ],
});

/** Compares two versions as package versions are compared; -1, 0 or 1. */
export function compareVersions(a: string, b: string, ignoresTrailingZeroes = false): -1 | 0 | 1 {
  const left = ignoresTrailingZeroes ? withoutTrailingZeroes(a) : a;
  const right = ignoresTrailingZeroes ? withoutTrailingZeroes(b) : b;
  const leftParts = partsOf(left);
  const rightParts = partsOf(right);
  const length = Math.min(leftParts.length, rightParts.length);
  for (let index = 0; index < length; index += 1) {
    const leftPart = leftParts[index] ?? '';
    const rightPart = rightParts[index] ?? '';
    if (leftPart !== rightPart) return compareParts(leftPart, rightPart);
  }
  return compareCodePoints(left, right);
}

function partsOf(version: string): readonly string[] {
  return version.match(/[-.]|[0-9]+|[^-.0-9]+/g) ?? [];
}

function withoutTrailingZeroes(version: string): string {
  const [first, ...others] = version.replace(/-+$/, '').split('-');
  // The reference stumbles over a version that has nothing before or between its dashes.
  if (first === undefined || version.replaceAll('-', '') === '')
    throw fault("undefined method `sub!' for nil:NilClass");
  return [first.replace(/[.0]+$/, ''), ...others].join('-');
}

function compareParts(left: string, right: string): -1 | 0 | 1 {
  if (left === '-') return -1;
  if (right === '-') return 1;
  if (left === '.') return -1;
  if (right === '.') return 1;
  const areNumbers = /^[0-9]+$/.test(left) && /^[0-9]+$/.test(right);
  // Numbers with a leading zero are compared as text.
  if (areNumbers && !left.startsWith('0') && !right.startsWith('0')) return compareNumbers(left, right);
  return compareCodePoints(left.toUpperCase(), right.toUpperCase());
}

/** Digits without leading zeroes: the longer is the greater. */
function compareNumbers(left: string, right: string): -1 | 0 | 1 {
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  return compareCodePoints(left, right);
}
