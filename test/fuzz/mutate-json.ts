/** JSON texts of the right syntax whose values are not what a parser expects. */

import type { Random } from './random.ts';

const oddities: readonly [unknown, ...unknown[]] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  'a',
  '*',
  '\u0000',
  '\ud800',
  'é'.repeat(300),
  '9'.repeat(400),
  '(.*a){25}$',
  '2026-11-24T00:00:00Z',
  '0000-00-00',
  [],
  {},
  [null],
  [[]],
  { a: null },
  JSON.parse('{"__proto__":{"a":1}}'),
  { toString: 1 },
  { length: -1 },
  { length: { toString: 1 } },
  ['='],
  ['and'],
  ['not', []],
];

/** @param seed - a JSON text @returns the text of a value that differs in some places */
export function mutateJson(seed: string, random: Random): string {
  let value: unknown = JSON.parse(seed);
  for (let left = 1 + random.below(3); left > 0; left -= 1) value = changed(value, random);
  const depth = random.below(500) === 0 ? 1 << random.below(12) : 0;
  return '['.repeat(depth) + JSON.stringify(value) + ']'.repeat(depth);
}

/** The same with one of its parts, at any depth, replaced, left out, renamed or doubled. */
function changed(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.below(8) === 0) return random.of(oddities);
  if (Array.isArray(value)) return changedList(value, random);
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [key, member] = entries[at] ?? ['more', undefined];
  if (member === undefined) return Object.fromEntries([...entries, [key, random.of(oddities)]]);
  const what = random.below(8);
  const others = entries.toSpliced(at, 1);
  if (what === 0) return Object.fromEntries(others);
  if (what === 1) return Object.fromEntries([...others, [`${key}${random.below(3)}`, member]]);
  return Object.fromEntries(entries.with(at, [key, changed(member, random)]));
}

function changedList(items: readonly unknown[], random: Random): unknown {
  const at = random.below(items.length + 1);
  const item = items[at];
  const what = random.below(8);
  if (at === items.length) return [...items, random.of(oddities)];
  if (what === 0) return items.toSpliced(at, 1);
  if (what === 1) return items.toSpliced(at, 0, ...Array.from({ length: 1 << random.below(10) }, () => item));
  return items.with(at, changed(item, random));
}
