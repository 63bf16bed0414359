/** Answers of two PuppetDBs to the same queries, compared. */

import { isDeepStrictEqual } from 'node:util';
import { comparable, comparableRows, isWrittenAlike } from './comparable.ts';

/** Times of arrival, which differ. */
const arrivals = new Set(['receive_time', 'facts_timestamp', 'catalog_timestamp', 'report_receive_time']);

/** Queries that are answered otherwise, and why. */
const knownDifferences: Readonly<Record<string, string>> = {
  'facts.match("^os$").family': 'the reference fails where no path of any node matches',
  'facts.match("nosuch")': 'the reference fails where no path of any node matches',
};

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export async function ask(url: string, path: string): Promise<Reply> {
  const reply = await fetch(url + path, { redirect: 'manual' });
  return { status: reply.status, text: await reply.text() };
}

export function isSame(theirs: Reply, mine: Reply, path: string): boolean {
  if (theirs.status !== mine.status) return false;
  // What follows the first line of a database's error is about the text of its own SQL.
  if (theirs.status === 500) return firstLine(theirs.text) === firstLine(mine.text);
  if (theirs.status === 404) return isDeepStrictEqual(JSON.parse(theirs.text), JSON.parse(mine.text));
  // The way to the dashboard leads to another port.
  if (theirs.status === 302) return true;
  if (theirs.status !== 200) return theirs.text === mine.text;
  const [a, b] = [theirs, mine].map(({ text }) => withoutArrivals(text));
  if (path.includes('limit=') && !path.includes('order_by')) return sizeOf(a) === sizeOf(b);
  if (path.includes('order_by')) return isWrittenAlike(comparable(a), comparable(b));
  return isWrittenAlike(comparableRows(a), comparableRows(b));
}

/** Leaves out what differs by nature in top-level rows; events and logs carry times of the agent. */
function withoutArrivals(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return strip(value);
  // Facts that no node has any more: the real one knows their names until its next garbage collection.
  const current = value.filter((row) => !/"tracer_\w+"/.test(JSON.stringify(row).slice(0, 60)));
  return current.map(strip);
}

function strip(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  const isEvent = 'report' in row && 'status' in row;
  const members = Object.entries(row).filter(([key]) => {
    if (key === 'timestamp') return isEvent;
    return !arrivals.has(key);
  });
  const stripped: Record<string, unknown> = Object.fromEntries(members);
  // Ours says `true` of an event that has corrected drift, as Puppet Enterprise does; the open-source PuppetDB has null for all.
  if (isEvent && stripped['corrective_change'] === true) stripped['corrective_change'] = null;
  return stripped;
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}

/** The rows that only one of them has, or what they say. */
export function describe(theirs: Reply, mine: Reply): string {
  if (theirs.status !== 200 || mine.status !== 200) return `  real ${show(theirs)}\n  ours ${show(mine)}`;
  const [a, b] = [theirs, mine].map(({ text }) => comparableRows(withoutArrivals(text)));
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

/** Whether a query is known to be answered otherwise. */
export function isKnown(path: string): boolean {
  const text = decodeURIComponent(path).replaceAll('\\"', '"');
  return Object.keys(knownDifferences).some((part) => text.includes(part));
}
