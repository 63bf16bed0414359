/** The same runs of two nodes, on any server. */

import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalCatalog, differences } from '../../support/canonical-catalog.ts';
import { compact, isList, parseExactJson } from '../../support/exact-json.ts';
import { peerAgent } from './peer-agent.ts';

export interface PeerRuns {
  /** Of each run in its order: the node, and its catalog as JSON. */
  readonly catalogs: readonly (readonly [certname: string, catalog: string])[];
  /** What PuppetDB answers in the end. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Each once more when it has something new to collect. */
const order = ['a.example.net', 'b.example.net', 'a.example.net', 'b.example.net'];

const questions = {
  nodes: 'nodes[certname, latest_report_status, catalog_environment] { order by certname }',
  resources:
    'resources[certname, type, title, exported, tags, parameters] { type != "Class" order by certname, type, title }',
  edges:
    'edges[certname, relationship, source_type, source_title, target_type, target_title] { order by certname, relationship, source_type, source_title, target_type, target_title }',
  reports: 'reports[certname, status, noop, environment] { order by certname, producer_timestamp }',
  events:
    'events[certname, status, resource_type, resource_title] { order by certname, resource_type, resource_title, timestamp }',
  facts:
    'facts[certname, name, value] { name in ["clientcert", "kernel", "is_virtual"] order by certname, name }',
};

export async function runPeers(
  base: string,
  port: number,
  query: (pql: string) => Promise<readonly unknown[]>,
): Promise<PeerRuns> {
  const catalogs: (readonly [string, string])[] = [];
  let reports = 0;
  for (const certname of order) {
    catalogs.push([certname, await peerAgent(certname, base, port).catalog()]);
    reports += 1;
    await arrived(query, reports);
  }
  const answers: Record<string, unknown> = {};
  for (const [name, pql] of Object.entries(questions)) answers[name] = await query(pql);
  return { catalogs, answers };
}

/** A server that takes commands answers before it has carried them out. */
async function arrived(query: (pql: string) => Promise<readonly unknown[]>, reports: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await query('reports[certname] { }');
    const catalogs = await query('catalogs[certname] { }');
    if (found.length >= reports && catalogs.length >= Math.min(reports, 2)) return;
    await sleep(100);
  }
  throw new Error(`the ${reports}. report never arrived`);
}

/** @returns differences in sentences */
export function comparePeerRuns(real: PeerRuns, ours: PeerRuns): readonly string[] {
  const found: string[] = [];
  for (const [index, [certname, expected]] of real.catalogs.entries()) {
    const actual = ours.catalogs[index]?.[1] ?? '{}';
    const pair = [expected, actual].map((text) => canonicalCatalog(parseExactJson(text), []));
    if (pair[0] === undefined || pair[1] === undefined) throw new Error('unreachable: two of two');
    for (const text of differences(pair[0], pair[1], new Set(['file', 'order'])))
      found.push(`run ${index + 1} of ${certname}: ${text}`);
  }
  for (const [name, expected] of Object.entries(real.answers)) {
    const wanted = rowsOf(expected);
    const actual = rowsOf(ours.answers[name]);
    found.push(...wanted.filter((row) => !actual.includes(row)).map((row) => `${name}: missing ${row}`));
    found.push(...actual.filter((row) => !wanted.includes(row)).map((row) => `${name}: extra ${row}`));
    if (wanted.length !== actual.length) found.push(`${name}: ${actual.length} rows, not ${wanted.length}`);
  }
  return found;
}

/** Each with its members and tags in order: databases have an order of their own. */
function rowsOf(answer: unknown): readonly string[] {
  const rows = parseExactJson(JSON.stringify(answer ?? [], sortingTags));
  return isList(rows) ? rows.map(compact) : [];
}

function sortingTags(key: string, value: unknown): unknown {
  return key === 'tags' && Array.isArray(value) ? value.map(String).toSorted() : value;
}
