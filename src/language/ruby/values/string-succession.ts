/** `String#succ` and the strings of `'a'..'c'`. */

import { compareCodePoints } from '../../../lib/code-point-order.ts';
import { giveUp } from '../signals.ts';
import { isAscii } from './matching.ts';

const MAX_LENGTH = 100_000;
const FIRST: Readonly<Record<string, string>> = { '9': '0', z: 'a', Z: 'A' };
const CARRIED: Readonly<Record<string, string>> = { '0': '1', a: 'a', A: 'A' };

/** The next string, as a counter of letters and digits counts. */
export function successor(text: string): string {
  const [, before = '', counter = '', after = ''] =
    (isAscii(text) ? /^([\s\S]*?)([a-zA-Z0-9]+)([^a-zA-Z0-9]*)$(?![\s\S])/.exec(text) : null) ?? [];
  if (counter === '') return text === '' ? '' : giveUp('the successor of such a string');
  let index = counter.length - 1;
  let counted = '';
  for (; index >= 0; index -= 1) {
    const digit = counter.charAt(index);
    const wrapped = FIRST[digit];
    if (wrapped === undefined)
      return `${before}${counter.slice(0, index)}${String.fromCharCode(digit.charCodeAt(0) + 1)}${counted}${after}`;
    counted = wrapped + counted;
  }
  // What it carries may go to a counter further left.
  if (/[a-zA-Z0-9]/.test(before)) return giveUp('the successor of such a string');
  return `${before}${CARRIED[counted.charAt(0)] ?? ''}${counted}${after}`;
}

export function stringsBetween(first: string, last: string, excludesLast: boolean): readonly string[] {
  if (!isAscii(first) || !isAscii(last)) return giveUp('a range of such strings');
  if (first.length === 1 && last.length === 1) return charactersBetween(first, last, excludesLast);
  if (/^\d+$(?![\s\S])/.test(first) && /^\d+$(?![\s\S])/.test(last))
    return numbersBetween(first, last, excludesLast);
  const order = compareCodePoints(first, last);
  if (order > 0 || (excludesLast && order === 0)) return [];
  const end = successor(last);
  const found: string[] = [];
  for (let current = first; current !== end; current = successor(current)) {
    if (excludesLast && current === last) break;
    if (found.length > 0 && (current.length > last.length || current === '')) break;
    if (found.length > MAX_LENGTH) giveUp('such a long range');
    found.push(current);
    if (current === last) break;
  }
  return found;
}

function charactersBetween(first: string, last: string, excludesLast: boolean): readonly string[] {
  const start = first.charCodeAt(0);
  const length = Math.max(0, last.charCodeAt(0) - start + (excludesLast ? 0 : 1));
  return Array.from({ length }, (_, index) => String.fromCharCode(start + index));
}

/** As wide as the first. */
function numbersBetween(first: string, last: string, excludesLast: boolean): readonly string[] {
  if (first.length > 15 || last.length > 15) return giveUp('a range of such strings');
  const start = Number(first);
  const length = Math.max(0, Number(last) - start + (excludesLast ? 0 : 1));
  if (length > MAX_LENGTH) giveUp('such a long range');
  return Array.from({ length }, (_, index) => String(start + index).padStart(first.length, '0'));
}
