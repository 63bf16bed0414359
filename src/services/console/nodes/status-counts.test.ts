import { expect, test } from 'vitest';
import type { NodeEntry } from './node-entry.ts';
import { entriesOf, replaced } from './sorted-nodes.ts';
import { countStatuses, StatusCounts } from './status-counts.ts';

function entry(certname: string, more: Partial<NodeEntry> = {}): NodeEntry {
  const usual = { environment: 'production', reportTimeMs: 1000, reportStatus: 'unchanged' };
  const absent = { reportHash: undefined, cachedCatalogStatus: undefined, jobId: undefined };
  return { certname, isNoop: false, isNoopPending: false, isCorrective: false, ...absent, ...usual, ...more };
}

const fleet = ['a', 'b', 'c', 'd'].map((name) => entry(name));

test('incremental counts equal a full count', () => {
  const counts = new StatusCounts();
  expect(counts.of(fleet, undefined, 0)).toMatchObject({ unchanged: 4, failed: 0 });

  const fresh = [
    entry('b', { reportStatus: 'failed', environment: 'testing', reportTimeMs: 5000 }),
    entry('cc', { reportTimeMs: 2000 }),
  ];
  const names = ['b', 'cc', 'd'];
  const after = replaced(fleet, names, fresh);
  counts.exchange(fleet, after, { old: entriesOf(fleet, names), fresh });

  expect(after.map(({ certname }) => certname)).toEqual(['a', 'b', 'c', 'cc']);
  for (const cutoffMs of [500, 1500, 2500, 1200, 9000])
    expect(counts.of(after, undefined, cutoffMs)).toEqual(countStatuses(after, cutoffMs));
  expect(counts.of(after, 'testing', 1200)).toMatchObject({ failed: 1, unchanged: 0 });
  expect(counts.of(after, 'elsewhere', 1200)).toEqual(countStatuses([], 0));
});

test('nodes of another list are counted anew', () => {
  const counts = new StatusCounts();
  counts.of(fleet, undefined, 0);
  counts.exchange([], fleet.slice(1), { old: [], fresh: [] });

  expect(counts.of(fleet.slice(1), undefined, 0)).toMatchObject({ unchanged: 3 });
});
