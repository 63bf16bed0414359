/** Everything recorded from the reference: commands are accepted, queries answered with the same. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDeadLetters } from '../../src/services/puppetdb/index.ts';
import { backends } from './backends.ts';
import { comparable, comparableRows, isWithin } from './comparable.ts';
import {
  hasSamples,
  moreQueries,
  type RecordedQuery,
  recordedCommands,
  recordedQueries,
  terminusQueries,
} from './recorded-fleet.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

/** What is answered differently, and why. */
const knownDifferences: Readonly<Record<string, string>> = {
  explain: 'the plan of another database',
  'summary-stats': 'the tables and indexes of another database',
  'status services': 'answered by the status service of the server',
  'status simple': 'answered by the status service of the server',
  'fact-names': 'the reference knows names that no node has any more until it collects its garbage',
  'metrics v2 list of mbeans': 'not there yet',
  'metrics v2 population': 'not there yet',
};

/** Digests of the recorded data before it was made anonymous, which no reader of the recording can compute. */
const unknowableHashes = new Set(['catalogs-one', 'factsets-one']);

const withoutSamples = 'skipped without ../shared/samples/puppetdb';

const running = backends.filter(({ isInstalled }) => isInstalled && hasSamples);
if (!hasSamples) test.skip(`the recorded fleet (${withoutSamples})`, () => undefined);

describe.each(running.map((backend) => [backend.name, backend] as const))('%s', (_backend, backend) => {
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
  }, 60_000);

  afterAll(async () => {
    await puppetDb.stop();
    await stopDatabase();
  });

  test('no command was refused', async () => {
    expect(await listDeadLetters(puppetDb.database, 10)).toEqual([]);
  });

  const queries = hasSamples ? [...recordedQueries(), ...moreQueries()] : [];
  const tried = queries.filter(({ name }) => knownDifferences[name] === undefined);
  test.each(tried.map((query) => [query.name, query] as const))('%s', async (_name, query) => {
    const reply = await send(query);

    expect(reply.status, reply.text).toBe(query.status);
    expectAnswer(query, reply.text);
    if (query.headers['x-records'] !== undefined) expect(reply.total).toBe(query.headers['x-records']);
  });

  /** What was asked while the fleet was being recorded saw less than there is now; it must be understood. */
  const asked = hasSamples ? terminusQueries().filter(({ status }) => status === 200) : [];
  test.each(asked.map((query) => [query.name, query] as const))('%s is understood', async (_name, query) => {
    const reply = await send(query);

    expect(reply.status, reply.text).toBe(200);
    if (Array.isArray(query.body)) {
      expect(keysOf(JSON.parse(reply.text))).toEqual(expect.arrayContaining([...keysOf(query.body)]));
    }
  });

  async function send(query: RecordedQuery): Promise<{ status: number; text: string; total: string | null }> {
    const headers: Record<string, string> = { accept: query.requestHeaders['accept'] ?? 'application/json' };
    if (query.method === 'POST') {
      headers['content-type'] = query.requestHeaders['content-type'] ?? 'application/json';
    }
    const reply = await fetch(puppetDb.url + query.path, {
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
      expect(comparable(ours)).toEqual(comparable(recorded));
    } else {
      expect(comparableRows(ours)).toEqual(comparableRows(recorded));
    }
  }
});

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
