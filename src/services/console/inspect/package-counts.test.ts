import { expect, onTestFinished, test } from 'vitest';
import { PackageCounts } from './package-counts.ts';

const asked = { search: '', orderBy: 'name', limit: 10, after: undefined } as const;

test('counts are made anew after a minute, also when the clock was set back meanwhile', async () => {
  const time = { nowMs: Date.UTC(2026, 0, 1), steadyMs: 0 };
  let reads = 0;
  const source = {
    async rows() {
      reads += 1;
      return [{ package_name: 'bash', version: '5', provider: 'apt', count: reads }];
    },
  };
  const counts = new PackageCounts(source, { nowMs: () => time.nowMs, steadyMs: () => time.steadyMs });
  onTestFinished(() => counts.close());
  expect(await counts.find(asked)).toMatchObject({ rows: [{ nodes: 1 }], as_of: '2026-01-01T00:00:00.000Z' });

  time.nowMs -= 3_600_000;
  time.steadyMs += 30_000;
  await counts.find(asked);
  expect(reads).toBe(1);
  time.steadyMs += 31_000;
  await counts.find(asked);

  await expect
    .poll(() => counts.find(asked))
    .toMatchObject({ rows: [{ nodes: 2 }], as_of: '2025-12-31T23:00:00.000Z' });
  expect(reads).toBe(2);
});

test('packages of one environment are those of nodes whose last run was in it, and are kept apart', async () => {
  const queries: unknown[] = [];
  const source = {
    async rows(query: readonly unknown[]) {
      queries.push(query);
      const count = JSON.stringify(query).includes('report_environment') ? 1 : 3;
      return ['bash', 'bash-doc'].map((name) => ({
        package_name: name,
        version: '5',
        provider: 'apt',
        count,
      }));
    },
  };
  const counts = new PackageCounts(source, { nowMs: () => 0, steadyMs: () => 0 });
  onTestFinished(() => counts.close());
  const all = await counts.find({ ...asked, name: 'bash' });
  const testing = await counts.find({ ...asked, environment: 'testing' });
  await counts.find({ ...asked, environment: 'testing' });

  expect(all).toMatchObject({ rows: [{ name: 'bash', nodes: 3 }], total: 1 });
  expect(testing).toMatchObject({ rows: [{ nodes: 1 }, { nodes: 1 }], total: 2 });
  expect(queries).toHaveLength(2);
  expect(queries[1]).toMatchObject([
    'from',
    'package_inventory',
    [
      'extract',
      [['function', 'count'], 'package_name', 'version', 'provider'],
      [
        'in',
        'certname',
        ['from', 'nodes', ['extract', ['certname'], ['=', 'report_environment', 'testing']]],
      ],
      ['group_by', 'package_name', 'version', 'provider'],
    ],
  ]);
});

test('counts of the environments that were asked for last are kept', async () => {
  let reads = 0;
  const source = {
    async rows() {
      reads += 1;
      return [];
    },
  };
  const counts = new PackageCounts(source, { nowMs: () => 0, steadyMs: () => 0 });
  onTestFinished(() => counts.close());
  const environments = Array.from({ length: 11 }, (_, index) => `team${index}`);
  for (const environment of [undefined, ...environments]) await counts.find({ ...asked, environment });
  expect(reads).toBe(12);
  for (const environment of [undefined, ...environments.slice(1)])
    await counts.find({ ...asked, environment });

  expect(reads).toBe(12);
  await counts.find({ ...asked, environment: 'team0' });

  expect(reads).toBe(13);
});
