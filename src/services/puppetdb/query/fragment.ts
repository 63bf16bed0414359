/** Pieces of SQL that can be put together; values stay apart from the text. */

import type { SqlValue, Statement } from '../../../platform/storage/index.ts';

export type Fragment = Statement;

/** SQL that is written in this program, never input. */
export function raw(text: string): Fragment {
  return { parts: [text], values: [] };
}

export function bound(value: SqlValue): Fragment {
  return { parts: ['', ''], values: [value] };
}

/** @example fragment`${column} = ${bound(value)}` */
export function fragment(texts: TemplateStringsArray, ...inserts: readonly Fragment[]): Fragment {
  const parts: string[] = [texts[0] ?? ''];
  const values: SqlValue[] = [];
  inserts.forEach((insert, index) => {
    append(parts, values, insert);
    parts[parts.length - 1] += texts[index + 1] ?? '';
  });
  return { parts, values };
}

export function joined(fragments: readonly Fragment[], separator: string): Fragment {
  const parts: string[] = [''];
  const values: SqlValue[] = [];
  fragments.forEach((item, index) => {
    if (index > 0) parts[parts.length - 1] += separator;
    append(parts, values, item);
  });
  return { parts, values };
}

/**
 * Joins conditions with `and` or `or`, in halves: a list of thousands is a tree of little depth, which databases limit.
 */
export function chained(conditions: readonly Fragment[], operator: 'and' | 'or'): Fragment {
  const [only] = conditions;
  if (conditions.length === 1 && only !== undefined) return only;
  const middle = conditions.length >> 1;
  const [left, right] = [conditions.slice(0, middle), conditions.slice(middle)];
  return fragment`(${chained(left, operator)} ${raw(operator)} ${chained(right, operator)})`;
}

function append(parts: string[], values: SqlValue[], insert: Fragment): void {
  parts[parts.length - 1] += insert.parts[0] ?? '';
  // One by one: there may be more than a call takes as arguments.
  for (let index = 1; index < insert.parts.length; index += 1) parts.push(insert.parts[index] ?? '');
  for (const value of insert.values) values.push(value);
}

export const always: Fragment = raw('1 = 1');
export const never: Fragment = raw('1 = 0');
