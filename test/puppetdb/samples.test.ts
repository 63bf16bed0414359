/** Everything recorded from the reference: commands are accepted, queries answered with the same. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDeadLetters } from '../../src/services/puppetdb/index.ts';
import { backends } from '../support/backends.ts';
import { comparable, comparableRows, isWithin, isWrittenAlike } from './comparable.ts';
import {
  moreQueries,
  type RecordedQuery,
  recordedCommands,
  recordedQueries,
  terminusQueries,
} from './recorded-fleet.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

/** Whose values are of the machine or of another database: their form is compared. */
const ofMachine: Readonly<Record<string, (recorded: unknown, ours: unknown, backend: string) => void>> = {
  explain: expectPlan,
  'summary-stats': expectStatistics,
  'fact-names': (recorded, ours) => {
    const [theirs, mine] = [recorded, ours] as readonly [readonly string[], readonly string[]];
    // The reference knows names that no node has any more until it collects its garbage.
    expect(mine.filter((name) => !theirs.includes(name))).toEqual([]);
    expect(mine.length).toBeGreaterThan(100);
  },
};

/** Answers to somebody whom the rules of the recorded server did not let through. */
const refused = new Set(['metrics v2 list of mbeans', 'metrics v2 population']);

/** Digests of the recorded data before it was made anonymous, which no reader of the recording can compute. */
const unknowableHashes = new Set(['catalogs-one', 'factsets-one']);

const running = backends.filter(({ isInstalled }) => isInstalled);

describe.each(running.map((backend) => [backend.name, backend] as const))('%s', (backendName, backend) => {
  let stopDatabase: () => Promise<void>;
  let puppetDb: RunningPuppetDb;

  beforeAll(async () => {
    const { location, stop } = await backend.start();
    stopDatabase = stop;
    puppetDb = await startPuppetDb(location);
    for (const { command, version, certname, producerTimestamp, body, received } of recordedCommands()) {
      puppetDb.setTime(received);
      const parameters = new URLSearchParams({
        command,
        version,
        certname,
        'producer-timestamp': producerTimestamp,
      });
      const reply = await fetch(`${puppetDb.url}/pdb/cmd/v1?${parameters}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body,
      });
      expect(reply.status).toBe(200);
      expect(await reply.json()).toEqual({ uuid: expect.any(String) });
    }
  });

  afterAll(async () => {
    await puppetDb.stop();
    await stopDatabase();
  });

  test('no command was refused', async () => {
    expect(await listDeadLetters(puppetDb.database, 10)).toEqual([]);
  });

  const queries = [...recordedQueries(), ...moreQueries()];
  test.each(queries.map((query) => [query.name, query] as const))('%s', async (_name, query) => {
    const reply = await send(query, refused.has(query.name) ? puppetDb.refusingUrl : puppetDb.url);

    expect(reply.status, reply.text).toBe(query.status);
    const compare = ofMachine[query.name];
    if (compare === undefined) expectAnswer(query, reply.text);
    else compare(query.body, JSON.parse(reply.text), backendName);
    if (query.headers['x-records'] !== undefined) expect(reply.total).toBe(query.headers['x-records']);
  });

  /** What was asked while the fleet was being recorded saw less than there is now; it must be understood. */
  const asked = terminusQueries().filter(({ status }) => status === 200);
  test.each(asked.map((query) => [query.name, query] as const))('%s is understood', async (_name, query) => {
    const reply = await send(query);

    expect(reply.status, reply.text).toBe(200);
    if (Array.isArray(query.body)) {
      expect(keysOf(JSON.parse(reply.text))).toEqual(expect.arrayContaining([...keysOf(query.body)]));
    }
  });

  async function send(
    query: RecordedQuery,
    url = puppetDb.url,
  ): Promise<{ status: number; text: string; total: string | null }> {
    const headers: Record<string, string> = { accept: query.requestHeaders['accept'] ?? 'application/json' };
    if (query.method === 'POST') {
      headers['content-type'] = query.requestHeaders['content-type'] ?? 'application/json';
    }
    const reply = await fetch(url + query.path, {
      method: query.method,
      headers,
      redirect: 'manual',
      ...(query.method === 'POST' ? { body: query.requestBody ?? '' } : {}),
    });
    return { status: reply.status, text: await reply.text(), total: reply.headers.get('x-records') };
  }

  function expectAnswer({ name, body, path, isTrimmed, bodyLength }: RecordedQuery, text: string): void {
    if (typeof body === 'string') {
      expect(text).toBe(body);
      return;
    }
    const [recorded, ours] = [withoutTimes(name, body), withoutTimes(name, JSON.parse(text))];
    const hasFreeChoice = /limit=3/.test(path) && !path.includes('order_by');
    if (bodyLength !== undefined && Array.isArray(ours)) expect(ours.length).toBe(bodyLength);
    if (hasFreeChoice) {
      expect(ours).toHaveLength((recorded as unknown[]).length);
      expect(keysOf(ours)).toEqual(keysOf(recorded));
    } else if (isTrimmed) {
      expect(isWithin(comparable(recorded), comparable(ours)), difference(recorded, ours)).toBe(true);
    } else if (path.includes('order_by')) {
      expectAlike(comparable(recorded), comparable(ours));
    } else {
      expectAlike(comparableRows(recorded), comparableRows(ours));
    }
  }
});

/** Says first what is different, then whether keys are in another order. */
function expectAlike(recorded: unknown, ours: unknown): void {
  expect(ours).toEqual(recorded);
  expect(isWrittenAlike(ours, recorded), `the order of keys: ${difference(recorded, ours)}`).toBe(true);
}

function expectPlan(recorded: unknown, ours: unknown, backend: string): void {
  const planOf = (answer: unknown): unknown => (answer as readonly Row[])[0]?.['query plan'];
  const [theirs, mine] = [planOf(recorded), planOf(ours)] as readonly Row[][];
  expect(mine?.length).toBeGreaterThan(0);
  if (backend !== 'PostgreSQL') return;
  expect(Object.keys(mine?.[0] ?? {})).toEqual(Object.keys(theirs?.[0] ?? {}));
  const [plan, own] = [theirs?.[0]?.['Plan'], mine?.[0]?.['Plan']] as readonly Row[];
  // What every node of a plan says; the rest depends on what it does.
  const common = Object.keys(plan ?? {}).filter((key) =>
    /^(Node Type|Plan |Actual |Total |Output|Shared )/.test(key),
  );
  expect(Object.keys(own ?? {})).toEqual(expect.arrayContaining(common));
}

function expectStatistics(recorded: unknown, ours: unknown): void {
  const [theirs, mine] = [recorded, ours] as readonly [Row, Row];
  expect(Object.keys(mine).toSorted()).toEqual(Object.keys(theirs).toSorted());
  const shared = [
    'version',
    'num_resources_per_node',
    'file_resources_per_catalog',
    'num_resources_per_file',
  ];
  for (const key of shared) expect(mine[key], key).toEqual(theirs[key]);
  for (const [key, value] of Object.entries(theirs)) {
    const quantiles = (each: unknown): unknown => (each as readonly Row[])[0]?.['quantiles'];
    if (Array.isArray(quantiles(value))) expect(quantiles(mine[key]), key).toHaveLength(21);
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Leaves out what cannot be known: new UUIDs, the time of the recording, digests of the original data. */
function withoutTimes(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(
    ([key]) => key !== 'uuid' && key !== 'server_time' && !(key === 'hash' && unknowableHashes.has(name)),
  );
  return Object.fromEntries(members);
}

function keysOf(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) return [];
  return [...new Set(rows.flatMap((row: unknown) => Object.keys(Object(row))))].toSorted();
}

function difference(recorded: unknown, ours: unknown): string {
  const [first] = Array.isArray(recorded) ? recorded : [recorded];
  const [mine] = Array.isArray(ours) ? ours : [ours];
  return `recorded ${JSON.stringify(first)?.slice(0, 2000)}\nours ${JSON.stringify(mine)?.slice(0, 2000)}`;
}
