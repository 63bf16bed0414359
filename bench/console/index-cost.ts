/**
 * `npm run bench -- console-index [NODES]`: what lists and counts of the console's index of nodes cost the main thread, without a
 * database: time of the processor, so that it means the same on a busy machine. 50,000 nodes when not said.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { NodeLists, type NodeSource } from '../../src/services/console/index.ts';
import { nameOf } from '../puppetdb/many-nodes.ts';

const { signal } = new AbortController();
const rounds = 40;
/** A fleet of 50,000 runs 30 times a second, and the index follows twice a second. */
const changesOfRound = 15;
const followedMs = 510;
const changeRounds = 8;
const usual = { search: '', limit: 100, after: undefined, factPaths: [] } as const;
const byName = { field: 'certname', isDescending: false } as const;
const latestFirst = { field: 'report_time', isDescending: true } as const;
const byStatus = { field: 'status', isDescending: false } as const;

export async function measureIndex([count = 50_000]: readonly number[]): Promise<void> {
  const names = Array.from({ length: count }, (_, node) => nameOf(node));
  let tell: (certname: string) => void = () => {};
  const lists = new NodeLists(
    sourceOf(names, (listener) => {
      tell = listener;
    }),
    { nowMs: Date.now, steadyMs: () => performance.now(), unresponsiveAfterMs: 3_600_000 },
  );
  await lists.counts(undefined);
  const { next } = await lists.find({ ...usual, orderBy: byName, limit: 500 }, signal);
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'counts of all': () => lists.counts(undefined),
    'counts of an environment': () => lists.counts('production'),
    'the first page': () => lists.find({ ...usual, orderBy: byName }, signal),
    'a page later': () => lists.find({ ...usual, orderBy: byName, after: next }, signal),
    'a word of the name': () => lists.find({ ...usual, orderBy: byName, search: 'web004' }, signal),
    'by time of the report': () => lists.find({ ...usual, orderBy: latestFirst }, signal),
    'by status': () => lists.find({ ...usual, orderBy: byStatus }, signal),
  };
  for (const [what, work] of Object.entries(works)) {
    for (let round = 0; round < rounds / 4; round++) await work();
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round++) await work();
    console.log(`${what}: ${(millisecondsSince(before) / rounds).toFixed(2)} ms`);
  }
  const before = process.cpuUsage();
  for (let round = 0; round < changeRounds; round++) {
    for (let change = 0; change < changesOfRound; change++)
      tell(names[((round * changesOfRound + change) * 7919) % count] ?? '');
    await sleep(followedMs);
    await lists.counts(undefined);
  }
  console.log(`half a second of changes: ${(millisecondsSince(before) / changeRounds).toFixed(2)} ms`);
  lists.close();
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { system, user } = process.cpuUsage(before);
  return (system + user) / 1000;
}

function sourceOf(
  names: readonly string[],
  onListener: (listener: (certname: string) => void) => void,
): NodeSource {
  const numbers = new Map(names.map((name, node) => [name, node]));
  const startedMs = Date.now();
  return {
    names: async () => names,
    read: async (wanted) =>
      wanted.map((certname) => {
        const node = numbers.get(certname) ?? 0;
        return {
          certname,
          environment: node % 10 === 0 ? 'testing' : 'production',
          reportTimeMs: startedMs - ((node * 7919) % 1800) * 1000,
          reportHash: String(node),
          reportStatus: node % 97 === 0 ? 'failed' : 'unchanged',
          isNoop: false,
          isNoopPending: false,
          isCorrective: false,
          cachedCatalogStatus: undefined,
          jobId: undefined,
        };
      }),
    find: async () => [],
    facts: async () => ({}),
    runs: async () => ({ earlier: [], recent: [] }),
    onStored(listener) {
      onListener(listener);
      return () => {};
    },
  };
}
