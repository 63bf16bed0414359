/**
 * Compares ours with a real PuppetDB: `node test/puppetdb/differential.ts [SQLite|PostgreSQL] [FILTER] [URL]`
 *
 * The real one is Debian's, started for this, unless an empty one is given. Both get the recorded commands and then every query of `differential-queries.ts`.
 */

import { isDeepStrictEqual } from 'node:util';
import { backends } from './backends.ts';
import { comparable, comparableRows } from './comparable.ts';
import { differentialQueries } from './differential-queries.ts';
import { startRealPuppetDb } from './real-puppetdb.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

/** Times of arrival, which differ. */
const arrivals = new Set(['receive_time', 'facts_timestamp', 'catalog_timestamp', 'report_receive_time']);

/** Queries that are answered otherwise, and why. */
const knownDifferences: Readonly<Record<string, string>> = {
  'facts.match("^os$").family': 'the reference fails where no path of any node matches',
  'facts.match("nosuch")': 'the reference fails where no path of any node matches',
};

interface Reply {
  readonly status: number;
  readonly text: string;
}

const [, , backendName = 'SQLite', filter = '', given = ''] = process.argv;
const backend = backends.find(({ name }) => name === backendName);
if (backend === undefined) throw new Error(`there is no ${backendName}`);
const started = given === '' ? await startRealPuppetDb(512) : undefined;
const real = started?.url ?? given;
const { location, stop } = await backend.start();
const ours = await startPuppetDb(location);
await load(ours.url);
if (!(await isLoaded(real))) await load(real);
let equal = 0;
let broken = 0;
let known = 0;
const different: string[] = [];
const failing: string[] = [];
for (const path of differentialQueries()) {
  if (!decodeURIComponent(path).includes(filter)) continue;
  const [theirs, mine] = await Promise.all([ask(real, path), ask(ours.url, path)]);
  if (isSame(theirs, mine, path)) equal++;
  else if (theirs.status === 500) {
    broken++;
    failing.push(`${decodeURIComponent(path)}\n${describe(theirs, mine)}`);
  } else if (isKnown(path)) known++;
  else different.push(`${decodeURIComponent(path)}\n${describe(theirs, mine)}`);
}
console.log(different.join('\n'));
console.log(
  `${equal} equal, ${different.length} different, ${known} known to be different, ${broken} where only the real one fails or says so otherwise (500)`,
);
if (filter !== '') console.log(failing.join('\n'));
await ours.stop();
await stop();
await started?.stop();
process.exitCode = different.length === 0 ? 0 : 1;

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

function isKnown(path: string): boolean {
  const text = decodeURIComponent(path).replaceAll('\\"', '"');
  return Object.keys(knownDifferences).some((part) => text.includes(part));
}

function isSame(theirs: Reply, mine: Reply, path: string): boolean {
  if (theirs.status !== mine.status) return false;
  // What follows the first line of a database's error is about the text of its own SQL.
  if (theirs.status === 500) return firstLine(theirs.text) === firstLine(mine.text);
  if (theirs.status === 404) return isDeepStrictEqual(JSON.parse(theirs.text), JSON.parse(mine.text));
  // The way to the dashboard leads to another port.
  if (theirs.status === 302) return true;
  if (theirs.status !== 200) return theirs.text === mine.text;
  const [a, b] = [theirs, mine].map(({ text }) => JSON.parse(withoutArrivals(text)) as unknown);
  if (path.includes('limit=') && !path.includes('order_by')) return sizeOf(a) === sizeOf(b);
  if (path.includes('order_by')) return isDeepStrictEqual(comparable(a), comparable(b));
  return isDeepStrictEqual(comparableRows(a), comparableRows(b));
}

/** Leaves out what differs by nature in top-level rows; events and logs carry times of the agent. */
function withoutArrivals(text: string): string {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return JSON.stringify(strip(value));
  // Facts that no node has any more: the real one knows their names until its next garbage collection.
  const current = value.filter((row) => !/"tracer_\w+"/.test(JSON.stringify(row).slice(0, 60)));
  return JSON.stringify(current.map(strip));
}

function strip(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  const isEvent = 'report' in row && 'status' in row;
  const members = Object.entries(row).filter(([key]) => {
    if (key === 'timestamp') return isEvent;
    return !arrivals.has(key);
  });
  return Object.fromEntries(members);
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}

/** The rows that only one of them has, or what they say. */
function describe(theirs: Reply, mine: Reply): string {
  if (theirs.status !== 200 || mine.status !== 200) return `  real ${show(theirs)}\n  ours ${show(mine)}`;
  const [a, b] = [theirs, mine].map(({ text }) => comparableRows(JSON.parse(withoutArrivals(text))));
  return `  only real ${extra(a, b)}\n  only ours ${extra(b, a)}`;
}

function extra(rows: unknown, others: unknown): string {
  if (!Array.isArray(rows) || !Array.isArray(others)) return JSON.stringify(rows);
  const known = new Set(others.map((row) => JSON.stringify(row)));
  const missing = rows.map((row) => JSON.stringify(row)).filter((row) => !known.has(row));
  return `${missing.length} of ${rows.length}: ${missing.slice(0, 2).join(' ').slice(0, 500)}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function show({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 300)}`;
}
