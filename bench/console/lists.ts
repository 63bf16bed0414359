/**
 * `npm run bench -- console-lists [NODES]`: what the console's lists and counts of nodes cost the primary, with 50,000 nodes in PuppetDB
 * by default.
 */

import { consoleNodes } from '../../src/server/node-data/console-nodes.ts';
import { NodeLists } from '../../src/services/console/index.ts';
import { promise, quantile, spread } from '../figures.ts';
import { nameOf, startManyNodes, timed } from '../puppetdb/many-nodes.ts';

const { signal } = new AbortController();
const rounds = 20;
const listMs = 50;
const stallLimitMs = 50;

const usual = {
  search: '',
  orderBy: { field: 'certname', isDescending: false },
  limit: 100,
  after: undefined,
  factPaths: [],
} as const;

const searches = {
  'the first page': usual,
  'a word of the name': { ...usual, search: 'web004' },
  'status and environment': { ...usual, search: 'status:failed environment:production' },
  'by time of the report': { ...usual, orderBy: { field: 'report_time', isDescending: true } },
  'with two facts as columns': { ...usual, factPaths: ['os.name', 'role'] },
  'by a fact': { ...usual, search: 'fact.role=role7' },
} as const;

export async function measureLists([count = 50_000]: readonly number[]): Promise<void> {
  const nodes = await startManyNodes(count);
  const source = consoleNodes(nodes.asked.compiler, (listener) => nodes.puppetDb.onStored(listener));
  const lists = new NodeLists(source, {
    nowMs: Date.now,
    steadyMs: () => performance.now(),
    unresponsiveAfterMs: 3_600_000,
  });
  try {
    const before = process.memoryUsage().rss;
    const first = await timed(() => lists.counts(undefined));
    const grownMb = (process.memoryUsage().rss - before) / 2 ** 20;
    console.log(
      `the index is read in ${first.ms.toFixed(0)} ms and takes ${grownMb.toFixed(0)} MiB; the main thread was busy for ${first.stallMs.toFixed(0)} ms at most`,
    );
    promise(
      `reading the index never keeps the main thread for ${stallLimitMs} ms`,
      first.stallMs < stallLimitMs,
    );
    for (const [name, request] of Object.entries(searches)) {
      const times: number[] = [];
      const stalls: number[] = [];
      let total = 0;
      for (let round = 0; round < rounds; round++) {
        const { ms, result, stallMs } = await timed(() => lists.find(request, signal));
        times.push(ms);
        stalls.push(stallMs);
        total = result.total;
      }
      console.log(`${name} (${total} nodes): ${spread(times)}; busy for ${spread(stalls)}`);
      if (name !== 'by a fact') promise(`${name}: p90 under ${listMs} ms`, quantile(times, 0.9) < listMs);
    }
    const counts: number[] = [];
    for (let round = 0; round < rounds; round++)
      counts.push((await timed(() => lists.counts('production'))).ms);
    console.log(`counts of an environment: ${spread(counts)}`);
    await measureChange(lists, nodes.puppetDb);
  } finally {
    lists.close();
    await nodes.stop();
  }
}

/** From a command that PuppetDB has taken to a list that shows it. */
async function measureChange(
  lists: NodeLists,
  puppetDb: Awaited<ReturnType<typeof startManyNodes>>['puppetDb'],
): Promise<void> {
  const certname = nameOf(1);
  const time = new Date().toISOString();
  const body = JSON.stringify({ certname, producer_timestamp: time });
  const startedMs = performance.now();
  await puppetDb.submit({ command: 'deactivate_node', version: 3, certname, payload: Buffer.from(body) });
  while ((await lists.find({ ...usual, search: certname }, signal)).total > 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(`a change shows after ${(performance.now() - startedMs).toFixed(0)} ms`);
}
