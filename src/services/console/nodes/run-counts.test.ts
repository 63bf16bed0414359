import { expect, test } from 'vitest';
import type { NodeEntry } from './node-entry.ts';
import type { CountedRuns, NodeSource } from './node-source.ts';
import { RunCounts } from './run-counts.ts';

type Runs = Awaited<ReturnType<NodeSource['runs']>>;
type Asked = Parameters<NodeSource['runs']>[0];

const nowMs = Date.parse('2026-11-28T14:07:00Z');
const minutesAgo = (minutes: number) => nowMs - minutes * 60_000;

function entry(certname: string, reportHash: string, more: Partial<NodeEntry> = {}): NodeEntry {
  return {
    certname,
    environment: 'production',
    reportTimeMs: minutesAgo(1),
    reportHash,
    reportStatus: 'unchanged',
    isNoop: false,
    isNoopPending: false,
    isCorrective: false,
    cachedCatalogStatus: undefined,
    jobId: undefined,
    ...more,
  };
}

function run(more: Partial<CountedRuns>): CountedRuns {
  const { environment, isCorrective, isNoop, isNoopPending, reportStatus } = entry('', '');
  return {
    environment,
    isCorrective,
    isNoop,
    isNoopPending,
    reportStatus,
    endMs: minutesAgo(1),
    count: 1,
    ...more,
  };
}

function counting(answers: readonly (Runs | Promise<Runs>)[]) {
  const asked: Asked[] = [];
  const source: Pick<NodeSource, 'runs'> = {
    async runs(times) {
      asked.push(times);
      return (await answers[asked.length - 1]) ?? { earlier: [], recent: [] };
    },
  };
  return { asked, counts: new RunCounts(source, { nowMs: () => nowMs }) };
}

const last = async (counts: RunCounts, environment?: string) => {
  const quarters = await counts.of(environment);
  return Object.entries(quarters.at(-1)?.counts ?? {}).filter(([, count]) => count > 0);
};

test('six hours in quarters, each with the runs that ended in it, of one environment or all', async () => {
  const earlier = [
    run({ endMs: Date.parse('2026-11-28T13:59:00Z'), count: 3 }),
    run({ endMs: Date.parse('2026-11-28T14:00:00Z'), reportStatus: 'failed' }),
    run({ endMs: minutesAgo(2), environment: 'testing', reportStatus: 'changed', isCorrective: true }),
  ];
  const { asked, counts } = counting([{ earlier, recent: [] }]);

  const quarters = await counts.of(undefined);

  expect(quarters).toHaveLength(24);
  expect(quarters.at(-2)).toMatchObject({
    fromMs: Date.parse('2026-11-28T13:45:00Z'),
    counts: { unchanged: 3 },
  });
  expect(quarters.at(-1)?.counts).toMatchObject({ failed: 1, corrective: 1, unchanged: 0 });
  expect(await last(counts, 'testing')).toEqual([['corrective', 1]]);
  expect(asked).toEqual([{ endedFromMs: Date.parse('2026-11-28T08:15:00Z'), producedFromMs: minutesAgo(1) }]);
});

test('a new report of a node counts once; other changes of the node do not count', async () => {
  const { asked, counts } = counting([{ earlier: [], recent: [] }]);
  await counts.of(undefined);

  counts.exchange([entry('a.test', 'old')], [entry('a.test', 'new')]);
  counts.exchange([entry('a.test', 'new')], [entry('a.test', 'new')]);
  counts.exchange([], [entry('b.test', 'first', { reportStatus: 'failed' })]);

  expect(await last(counts)).toEqual([
    ['failed', 1],
    ['unchanged', 1],
  ]);
  expect(asked).toHaveLength(1);
});

test('a report that arrives during the count is counted once', async () => {
  const answer = Promise.withResolvers<Runs>();
  const { counts } = counting([answer.promise]);
  const waiting = counts.of(undefined);

  counts.exchange([], [entry('seen.test', 'seen'), entry('late.test', 'late')]);
  answer.resolve({ earlier: [], recent: [{ ...run({}), hash: 'seen' }] });
  await waiting;

  expect(await last(counts)).toEqual([['unchanged', 2]]);
});

test('after possible gaps, only the last two quarters are counted again', async () => {
  const early = run({ endMs: minutesAgo(60), count: 5 });
  const { asked, counts } = counting([
    { earlier: [early, run({ count: 2 })], recent: [] },
    { earlier: [run({ count: 4 })], recent: [] },
  ]);
  await counts.of(undefined);

  counts.recountLast();

  expect(await last(counts)).toEqual([['unchanged', 4]]);
  expect(asked[1]?.endedFromMs).toBe(Date.parse('2026-11-28T13:45:00Z'));
  expect((await counts.of(undefined)).find(({ counts: each }) => each.unchanged === 5)).toBeDefined();
});

test('a failed count is repeated by the next request', async () => {
  const { counts } = counting([
    Promise.reject(new Error('PuppetDB is away')),
    { earlier: [run({})], recent: [] },
  ]);

  await expect(counts.of(undefined)).rejects.toThrow('PuppetDB is away');

  expect(await last(counts)).toEqual([['unchanged', 1]]);
});
