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
