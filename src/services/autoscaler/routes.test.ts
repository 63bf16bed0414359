import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import { changeMigrations } from '../../platform/changes/index.ts';
import { createHttpServer, type HttpServer, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase, sql } from '../../platform/storage/index.ts';
import { Autoscaler, type PoolServer } from './autoscaler.ts';
import { staticDriver } from './drivers/static-driver.ts';
import { FleetWork } from './number/fleet-work.ts';
import { Pool } from './pool/pool.ts';
import { PoolStore } from './pool/pool-store.ts';
import { autoscalerRoutes } from './routes.ts';
import { AutoscalerStore, autoscalerMigrations } from './store.ts';

const minute = 60_000;
const started = Date.parse('2026-01-01T00:00:00Z');
const granted: Readonly<Record<string, readonly string[]>> = {
  editor: ['edit'],
  viewer: ['view'],
  guest: [],
};

describe.each(backends)('The API of the autoscaler on $name', (backend) => {
  let running: RunningBackend;
  let base: string;
  let database: Database;
  let nowMs: number;
  let pool: PoolServer[];
  let fleet: FleetWork;
  let autoscaler: Autoscaler;
  let http: HttpServer;
  let url: string;

  beforeAll(async () => {
    if (backend.isInstalled) running = await backend.start();
  });
  afterAll(() => running?.stop());

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'bunraku-autoscaler-'));
    const location = await running.createDatabase();
    database = await openDirectDatabase(
      location ?? { kind: 'sqlite', path: join(base, 'database.sqlite') },
      'writer',
    );
    await migrate(database, [...changeMigrations, ...autoscalerMigrations]);
    nowMs = 0;
    pool = [server('one'), server('two')];
    fleet = new FleetWork({ herdToleranceMs: 10 * minute, leadMs: () => 3 * minute, startMs: 0 });
    autoscaler = await load();
    http = createHttpServer({
      routes: checkedRoutes(
        autoscalerRoutes({ autoscaler, now: () => new Date(started + nowMs), nowMs: () => nowMs }),
      ),
      authorization: { rules: [], allowHeaderCertInfo: true },
      trustedProxies: new TrustedProxies(['127.0.0.1']),
      authenticate: async (login, address) => ({
        kind: 'user',
        id: login,
        login,
        address,
        permits: ({ action, objectType }) =>
          objectType === 'autoscaler' && granted[login]?.includes(action) === true,
      }),
      log: silentLogger,
    });
    url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/autoscaler/v1`;
  });
  afterEach(async () => {
    await http.drain(0);
    await database.close();
    await rm(base, { recursive: true });
  });

  async function load(): Promise<Autoscaler> {
    const [now, clock] = [() => new Date(started + nowMs), () => nowMs];
    return await Autoscaler.load({
      servers: () => pool,
      pool: await Pool.load({
        driver: staticDriver(),
        servers: {
          servers: () =>
            pool.map(({ certname, phase, silentMs }) => {
              const fact = { state: 'running', isOrderedToLeave: false, undelivered: 0 };
              return { certname, phase, silentMs, ...fact };
            }),
          orderToLeave: () => Promise.reject(new Error('nothing is ordered')),
          forget: () => Promise.reject(new Error('nothing is forgotten')),
        },
        store: new PoolStore(database),
        control: {
          lostTimeoutMs: undefined,
          leastLeadMs: 0,
          random: () => 0,
          newKey: () => 'key',
          certnameOf: (key) => key,
        },
        now,
        nowMs: clock,
        log: silentLogger,
      }),
      fleet,
      store: new AutoscalerStore(database),
      herdToleranceSeconds: 600,
      sinceDeployMs: () => undefined,
      usualWorkers: 2,
      driver: staticDriver(),
      now,
      nowMs: clock,
      log: silentLogger,
    });
  }

  function server(certname: string): PoolServer {
    return { certname, phase: 'serving', workers: 2, eventLoop: 0, silentMs: 0 };
  }

  /** Both servers get so much work, for these minutes. */
  async function work(minutes: number, workersBusy: number): Promise<void> {
    for (const end = nowMs + minutes * minute; nowMs < end; nowMs += 10_000) {
      for (const { certname } of pool) {
        const run = { node: `n${nowMs}`, ageMs: 0, workerMs: (workersBusy / pool.length) * 10_000 };
        fleet.note(certname, 'then', { first: nowMs / 10_000, runs: [run] }, nowMs);
      }
      await autoscaler.look();
    }
  }

  async function ask(login: string, method: string, path: string, body?: unknown) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-authentication': login },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  }

  test.runIf(backend.isInstalled)(
    'view permits reading, edit also permits changes, other users are refused',
    async () => {
      const statuses = async (login: string) => [
        (await ask(login, 'GET', '/status')).status,
        (await ask(login, 'GET', '/history')).status,
        (await ask(login, 'POST', '/preview', { max: 8 })).status,
        (await ask(login, 'PUT', '/settings', { max: 8 })).status,
        (await ask(login, 'POST', '/pause')).status,
        (await ask(login, 'POST', '/resume')).status,
      ];

      expect(await statuses('viewer')).toEqual([200, 200, 200, 403, 403, 403]);
      expect(await statuses('editor')).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await statuses('guest')).toEqual([403, 403, 403, 403, 403, 403]);
    },
  );

  test.runIf(backend.isInstalled)(
    'the metric answers once the number is known, in percent and in workers',
    async () => {
      expect((await ask('viewer', 'GET', '/metric')).status).toBe(503);
      await work(12, 2.4);

      expect((await ask('viewer', 'GET', '/metric')).body).toMatchObject({
        capacity_used: 60,
        demand_workers: 2.4,
        need_workers: 4,
        work_workers: 2.4,
        serving_workers: 4,
        plan_trusted: false,
      });
      pool = [...pool, { ...server('old'), eventLoop: undefined }];
      expect((await ask('viewer', 'GET', '/metric')).status).toBe(503);
    },
  );

  test.runIf(backend.isInstalled)(
    'more servers are advised than serve, and fewer only after half an hour',
    async () => {
      await work(8, 6);
      const busy = (await ask('viewer', 'GET', '/status')).body;
      expect(busy.advice).toEqual({ servers: 2, wanted: 5, advised: 5, holds: [] });
      expect(busy.servers[0]).toEqual({ certname: 'one', phase: 'serving', workers: 2, used: 1.5 });
      expect(autoscaler.shortage()).toBe(undefined);
      await work(12, 6);
      expect(autoscaler.shortage()).toBe(
        'Too few compile servers: 4 workers serve and 10 are needed; 5 servers are advised',
      );

      pool = ['one', 'two', 'three', 'four', 'five'].map(server);
      await work(20, 1);
      const held = (await ask('viewer', 'GET', '/status')).body;
      expect(held.advice).toMatchObject({ servers: 5, advised: 5, holds: [{ kind: 'recent-peak' }] });
      expect(autoscaler.shortage()).toBe(undefined);
      await work(60, 1);
      expect((await ask('viewer', 'GET', '/status')).body.advice).toMatchObject({ wanted: 2, advised: 2 });
    },
  );

  test.runIf(backend.isInstalled)('decisions are stored with their numbers, and read in pages', async () => {
    await work(12, 2.4);
    pool = [server('one')];
    await work(12, 2.4);

    const whole: readonly { readonly id: number; readonly kind: string }[] = (
      await ask('viewer', 'GET', '/history')
    ).body;
    const all = whole.filter(({ kind }) => kind !== 'server');
    expect(whole.filter(({ kind }) => kind === 'server')).toMatchObject([
      { message: 'two: serving to gone, it has left' },
      { message: 'two: absent to serving, its health checks succeed' },
      { message: 'one: absent to serving, its health checks succeed' },
    ]);
    expect(all.slice(0, 2)).toMatchObject([
      { kind: 'servers', serving: 1, wanted: 3, numbers: { work: 2.4, capacity: 2 } },
      { kind: 'advice', serving: 2, wanted: 3 },
    ]);
    expect(all.at(-1)).toMatchObject({
      kind: 'servers',
      message: '2 servers serve, as many as advised',
      time: '2026-01-01T00:00:00.000Z',
      numbers: null,
    });
    const [, second] = (await ask('viewer', 'GET', '/history?limit=2')).body;
    expect((await ask('viewer', 'GET', `/history?limit=1&before=${second.id}`)).body).toEqual(
      whole.slice(2, 3),
    );
    expect((await ask('viewer', 'GET', '/history?limit=x')).status).toBe(400);
  });

  test.runIf(backend.isInstalled)(
    'settings outlive a restart, and changes are recorded with their author',
    async () => {
      await ask('editor', 'PUT', '/settings', { min: 3, target: 0.5 });
      await ask('editor', 'POST', '/pause');
      await ask('editor', 'POST', '/pause');

      expect((await load()).settings).toEqual({ min: 3, max: 50, target: 0.5, isPaused: true });
      const rows = await database.read(sql`select object_type, author_name, events from changes order by id`);
      expect(rows.map(({ author_name, object_type }) => [object_type, author_name])).toEqual([
        ['autoscaler', 'editor'],
        ['autoscaler', 'editor'],
      ]);
      expect(JSON.stringify(rows)).toContain('Changed target of the autoscaler from 0.6 to 0.5');
      expect((await ask('viewer', 'GET', '/history')).body[0].message).toBe(
        'Paused the autoscaler, by editor',
      );
    },
  );

  test.runIf(backend.isInstalled)('a preview of other limits changes nothing', async () => {
    await work(12, 2.4);
    const before = (await ask('viewer', 'GET', '/status')).body;

    const { body } = await ask('viewer', 'POST', '/preview', { target: 0.3, min: 3 });

    expect(body.settings).toMatchObject({ min: 3, target: 0.3 });
    expect(body.numbers.need_workers).toBeCloseTo(2 * before.numbers.need_workers, 1);
    expect(body.advice.wanted).toBeGreaterThanOrEqual(3);
    expect((await ask('viewer', 'GET', '/status')).body).toEqual(before);
    expect((await ask('viewer', 'POST', '/preview', { target: 2 })).status).toBe(400);
  });

  test.runIf(backend.isInstalled)('settings that make no sense are refused by name', async () => {
    const refused = [
      [{ min: -1 }, 'min'],
      [{ min: 60 }, 'min (60) is more than max (50)'],
      [{ target: 2 }, 'target'],
      [{ size: 2 }, 'size'],
    ] as const;

    for (const [settings, named] of refused) {
      const { body, status } = await ask('editor', 'PUT', '/settings', settings);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(named);
    }
    expect(autoscaler.settings.min).toBe(1);
  });
});
