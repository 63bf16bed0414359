import { expect, test } from 'vitest';
import type { NodeEntry } from './node-entry.ts';
import { type NodeOrder, type PlaceInList, pageOf, readPlace, type SortField } from './page-of-nodes.ts';

const fields: readonly SortField[] = ['certname', 'environment', 'report_time', 'status'];

/** Times and environments that many share, in no order. */
const fleet = Array.from({ length: 500 }, (_, index) => ({
  certname: `node${String(index).padStart(4, '0')}`,
  environment: index % 7 === 0 ? undefined : `e${index % 3}`,
  reportTimeMs: index % 11 === 0 ? undefined : (index * 7919) % 97,
  reportStatus: index % 5 === 0 ? 'failed' : 'unchanged',
  isNoop: false,
  isNoopPending: false,
  isCorrective: false,
})) as readonly unknown[] as readonly NodeEntry[];

function pages(orderBy: NodeOrder, limit: number): readonly string[] {
  const names: string[] = [];
  let after: PlaceInList | undefined;
  do {
    const { entries, next } = pageOf(fleet, { orderBy, limit, after, cutoffMs: 20 });
    names.push(...entries.map(({ certname }) => certname));
    after = next === undefined ? undefined : readPlace(next);
  } while (after !== undefined);
  return names;
}

test.each(fields.flatMap((field) => [false, true].map((isDescending) => ({ field, isDescending }))))(
  'pages by $field, descending $isDescending, have each node once, in one order for every size',
  (orderBy) => {
    const all = pages(orderBy, fleet.length);

    expect(new Set(all).size).toBe(fleet.length);
    expect(pages({ ...orderBy, isDescending: !orderBy.isDescending }, 500).toReversed()).toEqual(all);
    for (const limit of [1, 7, 250]) expect(pages(orderBy, limit)).toEqual(all);
  },
);

test('nodes with the same time are ordered by name', () => {
  const times = new Map(fleet.map(({ certname, reportTimeMs = 0 }) => [certname, reportTimeMs]));
  const all = pages({ field: 'report_time', isDescending: false }, 33);

  expect(all).toEqual(
    fleet
      .map(({ certname }) => certname)
      .toSorted((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0) || (a < b ? -1 : 1)),
  );
});

test('a page continues after a node that is gone', () => {
  const orderBy = { field: 'certname', isDescending: false } as const;
  const [first] = pageOf(fleet, { orderBy, limit: 1, after: [0, 'node0004x'], cutoffMs: 0 }).entries;

  expect(first?.certname).toBe('node0005');
});
