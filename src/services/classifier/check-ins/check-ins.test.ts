import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { backends, type RunningBackend } from '../../../../test/support/backends.ts';
import { createHttpServer } from '../../../platform/http/index.ts';
import { HttpClient } from '../../../platform/http-client/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import type { Condition } from '../condition.ts';
import { rootGroup } from '../group.ts';
import { Hierarchy } from '../hierarchy.ts';
import { type CheckIn, checkInOf } from './check-in.ts';
import { CheckInQueue } from './check-in-queue.ts';
import { sendCheckIns } from './remote-check-ins.ts';
import { checkInRoutes, receiveCheckInsRoute } from './routes.ts';
import { CheckInStore, checkInMigrations } from './store.ts';

const time = new Date('2026-01-02T03:04:05.678Z');
const uuid = 'd3653a4a-4ebe-426e-a04d-dbebec00e97f';
const groupId = '53029cf7-2070-4539-87f5-9fc754a0f041';
const node = { name: 'ds9', fact: { 'warp cores': '0', cores: { a: 1 } }, trusted: { certname: 'ds9' } };
const anyone = { kind: 'anyone' } as const;

function hierarchyOf(rule: Condition, limitMs?: number): Hierarchy {
  const root = rootGroup(time);
  const { rule: _rule, ...withoutRule } = root;
  return new Hierarchy([withoutRule, { ...root, id: groupId, name: 'A', rule }], limitMs);
}

function explanationOf(rule: Condition, of = node): unknown {
  const { explanation } = checkInOf(hierarchyOf(rule), of, { time, transactionUuid: uuid });
  return (JSON.parse(explanation) as Record<string, unknown>)[groupId];
}

const numbered = (certname: string, number: number): CheckIn => ({
  certname,
  time: new Date(time.getTime() + number),
  transactionUuid: undefined,
  explanation: `{"${number}":1}`,
});

describe('The explanation of a check-in', () => {
  test('is the rule with what was found in the node', () => {
    expect(explanationOf(['and', ['=', ['fact', 'warp cores'], '0'], ['not', ['~', 'name', '^x']]])).toEqual({
      value: true,
      form: [
        'and',
        { value: true, form: ['=', { path: ['fact', 'warp cores'], value: '0' }, '0'] },
        {
          value: true,
          form: ['not', { value: false, form: ['~', { path: 'name', value: 'ds9' }, '^x'] }],
        },
      ],
    });
  });

  test('has of thousands of pins the one that was met', () => {
    const others = Array.from({ length: 5000 }, (_, index): Condition => ['=', 'name', `n${index}`]);

    expect(explanationOf(['or', ...others, ['=', 'name', 'ds9']])).toEqual({
      value: true,
      form: ['or', { value: true, form: ['=', { path: 'name', value: 'ds9' }, 'ds9'] }],
    });
  });

  test('is short for any facts and rules', () => {
    const large = { ...node, fact: { text: 'x'.repeat(100_000), list: Array(1000).fill('item') } };
    const rule: Condition = ['or', ['~', ['fact', 'text'], '^x'], ['=', ['fact', 'list'], 'a']];
    const long: Condition = ['and', ...Array.from({ length: 5000 }, (): Condition => ['~', 'name', 'ds'])];

    expect(explanationOf(rule, large as never)).toEqual({
      value: true,
      form: [
        'or',
        { value: true, form: ['~', { path: ['fact', 'text'], value: 'x'.repeat(1000) }, '^x'] },
        { value: false, form: ['=', { path: ['fact', 'list'], value: null }, 'a'] },
      ],
    });
    expect(explanationOf(long)).toEqual({ value: true, form: [] });
  });
});

describe.each(backends.filter(({ isInstalled }) => isInstalled))('Check-ins in $name', ({ start }) => {
  let backend: RunningBackend;
  let directory: string;
  let database: Database;
  let store: CheckInStore;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'bunraku-check-ins-'));
    const path = join(directory, 'database.sqlite');
    database = await openDirectDatabase(
      (await backend.createDatabase()) ?? { kind: 'sqlite', path },
      'writer',
    );
    await migrate(database, checkInMigrations);
    store = new CheckInStore(database);
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  test('are the last hundred of each node', async () => {
    const many = Array.from({ length: 150 }, (_, index) => numbered('a', index));

    await store.add(many.slice(0, 120));
    await store.add([...many.slice(120), numbered('b', 0)]);

    const kept = await store.of('a');
    expect(kept.map(({ explanation }) => explanation)).toEqual(
      many
        .slice(50)
        .map(({ explanation }) => explanation)
        .toReversed(),
    );
    expect(await store.of('b')).toHaveLength(1);
  });

  test('end with their time', async () => {
    await store.add([numbered('a', 0), numbered('a', 2), numbered('b', 1)]);

    expect(await store.removeBefore(new Date(time.getTime() + 2))).toBe(2);
    expect(await store.names({ limit: 10, offset: 0 })).toEqual(['a']);
  });
});

describe('Behind the API', () => {
  async function serve() {
    const database = await openDirectDatabase({ kind: 'sqlite', path: ':memory:' }, 'writer');
    await migrate(database, checkInMigrations);
    const store = new CheckInStore(database);
    const server = createHttpServer({
      routes: [...checkInRoutes(store, anyone), receiveCheckInsRoute(store, anyone)],
      authorization: { rules: [], allowHeaderCertInfo: false },
      log: silentLogger,
    });
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    onTestFinished(async () => {
      await server.drain(0);
      await database.close();
    });
    const get = async (path: string) => {
      const response = await fetch(`${url}/classifier-api/v1/${path}`);
      return { status: response.status, body: (await response.json()) as unknown };
    };
    return { store, url, get };
  }

  /** Without TLS. */
  class PlainClient extends HttpClient {
    override async send({ body, headers = {}, method, url }: Parameters<HttpClient['send']>[0]) {
      const response = await fetch(url, {
        method,
        headers: headers as Record<string, string>,
        body: String(body),
      });
      return { status: response.status, headers: {}, body: Buffer.from(await response.arrayBuffer()) };
    }
  }

  test('a node has its check-ins, the latest first; a node without any is not found', async () => {
    const { get, store } = await serve();
    await store.add([numbered('a', 0), { ...numbered('a', 1), transactionUuid: uuid }]);

    expect(await get('nodes/a')).toEqual({
      status: 200,
      body: {
        name: 'a',
        check_ins: [
          { time: '2026-01-02T03:04:05.679Z', explanation: { 1: 1 }, transaction_uuid: uuid },
          { time: '2026-01-02T03:04:05.678Z', explanation: { 0: 1 }, transaction_uuid: null },
        ],
      },
    });
    expect(await get('nodes/b')).toMatchObject({ status: 404, body: { kind: 'not-found' } });
  });

  test('all nodes come by name, or those of a page', async () => {
    const { get, store } = await serve();
    expect(await get('nodes')).toEqual({ status: 200, body: [] });
    await store.add(Array.from({ length: 1200 }, (_, index) => numbered(`n${1000 + index}`, 0)));
    const namesOf = ({ body }: Awaited<ReturnType<typeof get>>) =>
      (body as readonly { readonly name: string }[]).map(({ name }) => name);

    expect(namesOf(await get('nodes'))).toHaveLength(1200);
    expect(namesOf(await get('nodes?limit=2&offset=3'))).toEqual(['n1003', 'n1004']);
    expect(await get('nodes?limit=-1')).toMatchObject({ status: 400, body: { kind: 'illegal-count' } });
  });

  test('servers that classify by themselves send theirs, and only JSON is taken', async () => {
    const { get, url } = await serve();
    const client = new PlainClient({ ca: '' });
    const send = sendCheckIns(client, url);
    const queue = new CheckInQueue({
      isStoring: () => true,
      save: send,
      log: silentLogger,
      intervalMs: 60_000,
      now: () => time,
    });

    for (let count = 0; count < 50; count += 1)
      queue.note(hierarchyOf(['=', 'name', 'ds9']), node, count === 49 ? uuid : undefined);
    await queue.flush();

    const { body } = await get('nodes/ds9');
    const { check_ins: checkIns } = body as { readonly check_ins: readonly object[] };
    expect(checkIns).toHaveLength(50);
    expect(checkIns[0]).toMatchObject({
      time: time.toISOString(),
      transaction_uuid: uuid,
      explanation: { [groupId]: { value: true } },
    });
    await expect(send([{ ...numbered('a', 0), explanation: '}' }])).rejects.toThrow('status 400');
  });

  test('check-ins that cannot be stored are dropped, with one warning until they can be', async () => {
    const lines: string[] = [];
    const state = { isAway: true, saved: 0 };
    const queue = new CheckInQueue({
      isStoring: () => true,
      async save() {
        if (state.isAway) throw new Error('away');
        state.saved += 1;
      },
      log: { ...silentLogger, warn: (_fields, message) => void lines.push(message) },
      intervalMs: 60_000,
      now: () => time,
    });
    const noteAndFlush = async () => {
      queue.note(hierarchyOf(['=', 'name', 'ds9']), node, undefined);
      await queue.flush();
    };

    await noteAndFlush();
    await noteAndFlush();
    state.isAway = false;
    await noteAndFlush();

    expect(lines).toEqual(['could not store check-ins of nodes, dropping them']);
    expect(state.saved).toBe(1);
  });

  test('a rule that takes too long to explain costs the check-in, not the catalog', async () => {
    const saved: CheckIn[] = [];
    const lines: string[] = [];
    const queue = new CheckInQueue({
      isStoring: () => true,
      save: async (some) => void saved.push(...some),
      log: { ...silentLogger, warn: (_fields, message) => void lines.push(message) },
      intervalMs: 60_000,
      now: () => time,
    });
    const endless: Condition = ['~', ['fact', 'text'], '^(?=a)(a|a)*$'];
    const slow = { ...node, fact: { text: `${'a'.repeat(60)}!` } };
    const hierarchy = hierarchyOf(['or', ['=', 'name', 'ds9'], endless], 500);
    expect(hierarchy.matching(slow as never).map(({ name }) => name)).toContain('A');

    queue.note(hierarchy, slow as never, undefined);
    queue.note(hierarchyOf(['=', 'name', 'ds9']), node, undefined);
    await queue.flush();

    expect(lines).toEqual(['could not explain a classification, it has no check-in']);
    expect(saved).toHaveLength(1);
  });

  test('nothing is kept while the storage is off', async () => {
    const saved: CheckIn[] = [];
    const state = { isOn: false };
    const queue = new CheckInQueue({
      isStoring: () => state.isOn,
      save: async (some) => void saved.push(...some),
      log: silentLogger,
      intervalMs: 60_000,
      now: () => time,
    });

    queue.note(hierarchyOf(['=', 'name', 'ds9']), node, undefined);
    await queue.flush();
    expect(saved).toEqual([]);
    state.isOn = true;
    queue.note(hierarchyOf(['=', 'name', 'ds9']), node, undefined);
    await queue.flush();

    expect(saved).toHaveLength(1);
  });
});
