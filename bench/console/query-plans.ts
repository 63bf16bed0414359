/**
 * `npm run bench -- console-plans [NODES ...]`: how the databases go about what pages ask of PuppetDB, at 5,000 and 50,000 nodes by
 * default. PostgreSQL says how many rows it has read, SQLite only by which way.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanTasks, type PuppetDb } from '../../src/services/puppetdb/index.ts';
import { startPostgres } from '../../test/support/running-postgres.ts';
import { fillPuppetDb, nameOf, openForBench } from '../puppetdb/many-nodes.ts';

const usualCounts = [5000, 50_000];
const catalogs = 2000;
const { signal } = new AbortController();

/** By the part of a page that asks; those of lists of nodes are not here, because the console keeps an index of nodes. */
const queries: Readonly<Record<string, string>> = {
  'overview, last reports':
    'reports[hash, certname, status, end_time] { status in ["failed", "changed"] order by end_time desc limit 8 }',
  'overview, failures by message':
    'events[count(), min(timestamp), max(timestamp), message, certname] { latest_report? = true and status = "failure" group by message, certname }',
  'events of a day, by class':
    'events[count(), min(timestamp), max(timestamp), containing_class, certname] { timestamp >= "DAY" group by containing_class, certname }',
  'events of one class':
    'events[certname, timestamp, message] { containing_class = "Ntp" and timestamp >= "DAY" order by timestamp desc limit 500 }',
  'reports, first page': 'reports[hash, certname, status] { order by end_time desc limit 100 }',
  'reports, by name':
    'reports[hash, certname, status] { certname ~ "web0042" order by end_time desc limit 100 }',
  'node, last runs': 'reports[hash, status, end_time] { certname = "NODE" order by end_time desc limit 50 }',
  'node, facts': 'facts[name, value] { certname = "NODE" }',
  'node, resources': 'resources[type, title, parameters] { certname = "NODE" }',
  'values of a fact': 'inventory[facts.role, count()] { group by facts.role }',
  'nodes with a fact': 'inventory[certname] { facts.role = "role7" }',
  'paths of a fact': 'fact_paths[path] { name = "os" }',
  'facts of a page of nodes': 'inventory[certname, facts.role] { certname in NODES }',
  'nodes with a class': 'nodes[certname] { resources { type = "Class" and title = "Ntp" } }',
  'code that manages a package':
    'resources[file, line, count()] { type = "Package" and title = "ntp" group by file, line }',
  'counts of packages':
    'package_inventory[count(), package_name, version, provider] { group by package_name, version, provider }',
};

interface Plan {
  readonly ms: number;
  /** Undefined where the database does not count them. */
  readonly rowsRead: number | undefined;
  /** The ways through tables. */
  readonly steps: readonly string[];
}

export async function compareQueryPlans(counts: readonly number[]): Promise<void> {
  const sizes = counts.length === 0 ? usualCounts : counts;
  const bySize = new Map<number, ReadonlyMap<string, readonly [Plan, Plan]>>();
  for (const nodes of sizes) bySize.set(nodes, await plansAt(nodes));
  for (const name of Object.keys(queries)) {
    console.log(`\n${name}`);
    for (const [index, database] of ['SQLite', 'PostgreSQL'].entries())
      for (const nodes of sizes) {
        const plan = bySize.get(nodes)?.get(name)?.[index];
        if (plan === undefined) continue;
        const rows = plan.rowsRead === undefined ? '' : `, ${plan.rowsRead} rows read`;
        console.log(
          `  ${database}, ${nodes} nodes: ${plan.ms.toFixed(1)} ms${rows}: ${plan.steps.join('; ')}`,
        );
      }
  }
}

async function plansAt(nodes: number): Promise<ReadonlyMap<string, readonly [Plan, Plan]>> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-plans-'));
  const postgres = await startPostgres({ isDurable: false });
  const opened: PuppetDb[] = [];
  try {
    for (const location of [
      { kind: 'sqlite', path: join(directory, 'puppetdb.sqlite') } as const,
      await postgres.createDatabase(),
    ]) {
      const puppetDb = await openForBench(location);
      opened.push(puppetDb);
      await fillPuppetDb(puppetDb, { nodes, catalogs: Math.min(catalogs, nodes) });
      await puppetDb.admin.clean({ tasks: cleanTasks });
    }
    const [embedded, server] = opened;
    if (embedded === undefined || server === undefined) throw new Error('a database is missing');
    const plans = new Map<string, readonly [Plan, Plan]>();
    for (const [name, pql] of Object.entries(queries))
      plans.set(name, [await planOf(embedded, pql), await planOf(server, pql)]);
    return plans;
  } finally {
    for (const puppetDb of opened) await puppetDb.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function planOf(puppetDb: PuppetDb, template: string): Promise<Plan> {
  const names = Array.from({ length: 100 }, (_, node) => `"${nameOf(node * 3)}"`);
  const pql = template
    .replaceAll('NODES', `[${names.join(', ')}]`)
    .replaceAll('NODE', nameOf(0))
    .replaceAll('DAY', new Date(Date.now() - 86_400_000).toISOString());
  // The first query also opens the connection and prepares the statement.
  await puppetDb.queryText({ kind: 'root', query: pql }, signal);
  const startedMs = performance.now();
  await puppetDb.queryText({ kind: 'root', query: pql }, signal);
  const ms = performance.now() - startedMs;
  const { body } = await puppetDb.answer(
    {
      method: 'GET',
      path: '/pdb/query/v4',
      search: new URLSearchParams({ query: pql, explain: 'analyze' }).toString(),
      body: undefined,
      accept: undefined,
      contentType: undefined,
      host: undefined,
    },
    signal,
  );
  const parts: string[] = [];
  for await (const part of typeof body === 'string' ? [body] : body) parts.push(String(part));
  return { ms, ...readPlan(JSON.parse(parts.join(''))) };
}

type Answered = readonly { readonly 'query plan': readonly unknown[] }[];

interface SqliteStep {
  readonly detail: string;
}

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PostgresNode[];
}

function readPlan([first]: Answered): Omit<Plan, 'ms'> {
  const steps = first?.['query plan'] ?? [];
  const [root] = steps as readonly ({ readonly Plan?: PostgresNode } | SqliteStep)[];
  if (root !== undefined && 'Plan' in root && root.Plan !== undefined) {
    const scans = allNodes(root.Plan).filter((node) => node['Relation Name'] !== undefined);
    return {
      rowsRead: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
      steps: scans.map(scanText),
    };
  }
  const details = (steps as readonly SqliteStep[]).map(({ detail }) => detail);
  return { rowsRead: undefined, steps: details.filter((detail) => /^(?:SCAN|SEARCH|USE TEMP)/.test(detail)) };
}

function allNodes(node: PostgresNode): readonly PostgresNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

/** With those that a filter has thrown away. */
function rowsOf(node: PostgresNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

function scanText(node: PostgresNode): string {
  const by = node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`;
  return `${node['Node Type']} of ${node['Relation Name'] ?? ''}${by} (${Math.round(rowsOf(node))})`;
}
