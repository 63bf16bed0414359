/** Times of the primary's answers to pages, from the request to the last byte, while runs arrive. */

import { quantile, spread } from '../figures.ts';
import { processUse } from '../process-use.ts';
import { budget } from './budgets.ts';
import type { ConsolePrimary } from './console-primary.ts';
import { type Asked, ask, logInByForm } from './session-client.ts';

const rounds = 60;
const pauseMs = 50;
const costRounds = 24;
/** The budget of requests that have none of their own: two seconds. */
const slowRounds = 5;
const slowMs = 2000;

interface Question {
  readonly what: string;
  readonly mostMs: number;
  readonly rounds: number;
  /** Asked in turns. */
  readonly variants: readonly (readonly Asked[])[];
}

const nodes = (body: object): readonly Asked[] => [
  { method: 'POST', path: '/console-api/v1/nodes/query', body: { limit: 100, ...body } },
];
const pql = (query: string): readonly Asked[] => [
  { method: 'GET', path: `/pdb/query/v4?${new URLSearchParams({ query })}` },
];
const facet = (field: string, q = ''): readonly Asked[] => [
  { method: 'POST', path: '/console-api/v1/facets', body: { field, q, limit: 500 } },
];
const events = (by: string, more: object = {}): readonly Asked[] => [
  {
    method: 'POST',
    path: '/console-api/v1/events/query',
    body: { by, from: new Date(Date.now() - 86_400_000).toISOString(), limit: 500, ...more },
  },
];

/** As `countMatching` of `console/src/api/classifier.ts` does it. */
const matching = (rule: unknown, translated: unknown): readonly Asked[] => [
  { method: 'POST', path: '/classifier-api/v1/rules/translate?format=inventory', body: rule },
  {
    method: 'GET',
    path: `/pdb/query/v4/inventory?${new URLSearchParams({ query: JSON.stringify(['extract', [['function', 'count']], translated]) })}`,
  },
];

/** @param hasServer - whether PuppetDB is on PostgreSQL */
function questions(hasServer: boolean): readonly Question[] {
  const usual = (what: string, mostMs: number, ...variants: readonly (readonly Asked[])[]) => ({
    what,
    mostMs,
    rounds,
    variants,
  });
  const slow = (what: string, ...variants: readonly (readonly Asked[])[]) => ({
    what,
    mostMs: slowMs,
    rounds: slowRounds,
    variants,
  });
  const descending = (field: string) => ({ order_by: { field, order: 'desc' } });
  return [
    usual(
      'C3, a page of the list of nodes, p95',
      hasServer ? 80 : 50,
      nodes({}),
      nodes({ q: 'web004' }),
      nodes({ q: 'status:failed environment:production' }),
      nodes(descending('report_time')),
      nodes(descending('status')),
      nodes({ columns: ['fact.os.name', 'fact.role'] }),
    ),
    usual('C2, the counts of the overview, p95', 5, [{ method: 'GET', path: '/console-api/v1/overview' }]),
    usual(
      'C7, how many nodes match a rule, p95',
      hasServer ? 400 : 300,
      matching(['=', ['fact', 'role'], 'role7'], ['=', 'facts.role', 'role7']),
      matching(
        ['and', ['=', ['fact', 'rack'], '7'], ['=', ['fact', 'os', 'name'], 'Debian']],
        ['and', ['=', 'facts.rack', 7], ['=', 'facts.os.name', 'Debian']],
      ),
      matching(['~', ['fact', 'role'], '^role1'], ['~', 'facts.role', '^role1']),
    ),
    usual(
      'C5, what the palette finds, p95',
      hasServer ? 60 : 40,
      nodes({ q: '"web12"', limit: 8 }),
      nodes({ q: '"04242"', limit: 8 }),
    ),
    slow('list by a fact, p95', nodes({ q: 'fact.role=role7' })),
    slow('list by a class, p95', nodes({ q: 'class:ntp' })),
    slow('names of facts, p95', [{ method: 'GET', path: '/pdb/query/v4/fact-names' }]),
    slow('values of a fact, p95', facet('fact.os.name'), facet('fact.role')),
    slow('values of a fact of some nodes, p95', facet('fact.os.name', 'environment:testing')),
    slow('paths of a fact, p95', pql('fact_paths[path] { name = "os" }')),
    slow('all paths of facts in order, p95', [
      {
        method: 'GET',
        path: `/pdb/query/v4/fact-paths?${new URLSearchParams({ order_by: '[{"field":"path"}]', limit: '500' })}`,
      },
    ]),
    slow('resources by type, p95', pql('resources[type, count()] { group by type }')),
    slow('events of a day by class, p95', events('class')),
    slow('events of a day by node, p95', events('node')),
    slow('events of a day by resource, p95', events('resource')),
    slow('failures of last runs by message, p95', events('message', { status: 'failed', latest: true })),
    slow('nodes of each group, counted anew, p95', [
      { method: 'GET', path: '/classifier-api/v1/member-counts' },
    ]),
    slow('packages, p95', [{ method: 'POST', path: '/console-api/v1/packages/query', body: { limit: 100 } }]),
    slow(
      'reports, first page, p95',
      pql('reports[hash, certname, status] { order by end_time desc limit 100 }'),
    ),
  ];
}

export async function measureServerTime({ isOnPostgres, origin }: ConsolePrimary): Promise<void> {
  const cookie = await logInByForm(origin, 'admin');
  const startedMs = performance.now();
  await ask(origin, { method: 'GET', path: '/console-api/v1/overview', cookie });
  console.log(
    `the first question reads the index of nodes: ${(performance.now() - startedMs).toFixed(0)} ms`,
  );
  for (const question of questions(isOnPostgres)) {
    const { mostMs, variants, what } = question;
    const times: number[] = [];
    for (let round = 0; round < question.rounds; round++) {
      const asked = variants[round % variants.length] ?? [];
      const beganMs = performance.now();
      for (const each of asked) await ask(origin, { ...each, cookie });
      times.push(performance.now() - beganMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    console.log(`  ${spread(times)}`);
    budget({ what, value: quantile(times, 0.95), most: mostMs, unit: 'ms' });
  }
}

/** Processor time of an answer, summed over all threads of the primary, without other requests: its duration on an idle machine. */
export async function measureServerCost({ isOnPostgres, origin, pid }: ConsolePrimary): Promise<void> {
  const cookie = await logInByForm(origin, 'admin');
  for (const { mostMs, variants, what, ...question } of questions(isOnPostgres)) {
    const count = Math.min(question.rounds, costRounds);
    const before = processUse(pid).cpuSeconds;
    let bytes = 0;
    for (let round = 0; round < count; round++)
      for (const each of variants[round % variants.length] ?? [])
        bytes += (await ask(origin, { ...each, cookie })).bytes;
    const ms = ((processUse(pid).cpuSeconds - before) * 1000) / count;
    console.log(
      `${what.replace(/, p95$/, '')}: ${ms.toFixed(1)} ms of the processor (to be answered in ${mostMs} ms), ${(bytes / count / 1000).toFixed(1)} kB`,
    );
  }
}
