/**
 * Compares ours with a real PuppetDB: `node test/puppetdb/differential.ts http://127.0.0.1:8080`
 *
 * The real one must be empty. Both get the recorded commands and then every query of `differential-queries.ts`.
 */

import { isDeepStrictEqual } from 'node:util';
import { comparable, comparableRows } from './comparable.ts';
import { differentialQueries } from './differential-queries.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

/** Times of arrival, which differ. */
const arrivals =
  /"(?:timestamp|receive_time|facts_timestamp|catalog_timestamp|report_receive_time)":"[^"]*",?/g;

interface Reply {
  readonly status: number;
  readonly text: string;
}

const [, , real = '', filter = ''] = process.argv;
const ours = await startPuppetDb();
await load(ours.url);
if (!(await isLoaded(real))) await load(real);
let equal = 0;
const different: string[] = [];
for (const path of differentialQueries()) {
  if (!decodeURIComponent(path).includes(filter)) continue;
  const [theirs, mine] = await Promise.all([ask(real, path), ask(ours.url, path)]);
  if (isSame(theirs, mine, path)) equal++;
  else different.push(`${decodeURIComponent(path)}\n  real ${show(theirs)}\n  ours ${show(mine)}`);
}
console.log(different.join('\n'));
console.log(`${equal} equal, ${different.length} different`);
await ours.stop();

async function load(url: string): Promise<void> {
  for (const { command, version, certname, producerTimestamp, body } of recordedCommands()) {
    const parameters = new URLSearchParams({
      command,
      version,
      certname,
      'producer-timestamp': producerTimestamp,
      secondsToWaitForCompletion: '30',
    });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/pdb/cmd/v1?${parameters}`, { method: 'POST', headers, body });
    if (!reply.ok) throw new Error(`${command} of ${certname}: ${await reply.text()}`);
  }
}

async function isLoaded(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/pdb/query/v4/nodes`);
  const nodes: unknown = await reply.json();
  return Array.isArray(nodes) && nodes.length > 0;
}

async function ask(url: string, path: string): Promise<Reply> {
  const reply = await fetch(url + path, { redirect: 'manual' });
  return { status: reply.status, text: await reply.text() };
}

function isSame(theirs: Reply, mine: Reply, path: string): boolean {
  if (theirs.status !== mine.status) return false;
  if (theirs.status !== 200) return theirs.text === mine.text;
  const [a, b] = [theirs, mine].map(({ text }) => JSON.parse(withoutArrivals(text)) as unknown);
  if (path.includes('limit=') && !path.includes('order_by')) return sizeOf(a) === sizeOf(b);
  if (path.includes('order_by')) return isDeepStrictEqual(comparable(a), comparable(b));
  return isDeepStrictEqual(comparableRows(a), comparableRows(b));
}

/** Only those of top-level rows: events and logs carry times of the agent. */
function withoutArrivals(text: string): string {
  const value: unknown = JSON.parse(text);
  const rows = Array.isArray(value) ? value : [value];
  const stripped = rows.map((row: unknown) =>
    typeof row === 'object' && row !== null && !('report' in row && 'status' in row)
      ? Object.fromEntries(Object.entries(row).filter(([key]) => !`"${key}":""`.match(arrivals)))
      : row,
  );
  return JSON.stringify(stripped)
    .replace(/"report_receive_time":"[^"]*",?/g, '')
    .replace(/,}/g, '}');
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}

function show({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 300)}`;
}
