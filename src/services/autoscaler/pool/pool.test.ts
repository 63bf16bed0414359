import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../../test/support/backends.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import { type Driver, DriverError, type Instance, type LaunchOutcome } from '../drivers/driver.ts';
import { autoscalerMigrations } from '../store.ts';
import type { PoolSeen } from './control.ts';
import type { ServerFact } from './member.ts';
import { Pool } from './pool.ts';
import { PoolStore } from './pool-store.ts';

type Situation = NonNullable<PoolSeen['rule']>;

const demand = { work: 0, backlog: 0, planned: 0, isPlanTrusted: true, capacity: 0 };
const idle: Situation = {
  demand: { ...demand, need: 4, capacityUsed: 0, demandWorkers: 0 },
  workersPerServer: 2,
  limits: { min: 1, max: 5, spare: 0 },
  sinceDeployMs: undefined,
  uptimeMs: Number.POSITIVE_INFINITY,
  lost: 0,
  silentShare: 0,
  isPaused: false,
  isIncomplete: false,
};

describe.each(backends)('A pool on $name', (backend) => {
  let running: RunningBackend;
  let base: string;
  let database: Database;
  let nowMs: number;
  let keys: number;
  let instances: Instance[] | Error;
  let servers: ServerFact[];
  let calls: string[];
  let outcome: LaunchOutcome;

  beforeAll(async () => {
    if (backend.isInstalled) running = await backend.start();
  });
  afterAll(() => running?.stop());
  beforeEach(async () => {
    if (!backend.isInstalled) return;
    base = await mkdtemp(join(tmpdir(), 'bunraku-pool-'));
    const path = join(base, 'database.sqlite');
    database = await openDirectDatabase(
      (await running.createDatabase()) ?? { kind: 'sqlite', path },
      'writer',
    );
    await migrate(database, autoscalerMigrations);
    [nowMs, keys, instances, servers, calls, outcome] = [0, 0, [], [], [], undefined];
  });
  afterEach(async () => {
    if (!backend.isInstalled) return;
    await database.close();
    await rm(base, { recursive: true });
  });

  const driver: Driver = {
    name: 'test',
    countedBy: 'primary',
    assumedLeadMs: 10_000,
    async launch(orders) {
      for (const { id } of orders) calls.push(`launch ${id}`);
      return orders.map(() => outcome);
    },
    async end(instance) {
      calls.push(`end ${instance}`);
    },
    async inventory() {
      if (instances instanceof Error) throw instances;
      return instances;
    },
  };

  async function load(own = driver): Promise<Pool> {
    const note = (kind: string) => async (certname: string) => void calls.push(`${kind} ${certname}`);
    return await Pool.load({
      driver: own,
      servers: { servers: () => servers, orderToLeave: note('leave'), forget: note('forget') },
      store: new PoolStore(database),
      control: {
        lostTimeoutMs: undefined,
        leastLeadMs: 0,
        random: () => 0,
        newKey: () => `k${++keys}`,
        certnameOf: (key) => `${key}.test`,
      },
      now: () => new Date(nowMs),
      nowMs: () => nowMs,
      log: silentLogger,
    });
  }

  function server(key: string, state = 'running', changes: Partial<ServerFact> = {}): ServerFact {
    const fact = { isOrderedToLeave: false, undelivered: 0, silentMs: 0 };
    const phase = state === 'running' ? 'serving' : state === 'leaving' ? 'draining' : undefined;
    return { certname: `${key}.test`, state, phase, ...fact, ...changes };
  }

  function instance(key: string, state: Instance['state'] = 'running'): Instance {
    return { id: `i-${key}`, orderId: key, certname: `${key}.test`, state };
  }

  const statesOf = (pool: Pool) => pool.members.map(({ certname, state }) => `${certname} ${state}`);

  test.runIf(backend.isInstalled)(
    'stores an order before the driver gets it, and gives it again after a restart',
    async () => {
      await (await load()).step(idle);
      expect(calls).toEqual(['launch k1', 'launch k2']);

      const next = await load();
      expect(statesOf(next)).toEqual(['k1.test launching', 'k2.test launching']);
      await next.step(undefined);
      expect(calls).toEqual(['launch k1', 'launch k2', 'launch k1', 'launch k2']);
      instances = [instance('k1', 'pending'), instance('k2')];
      servers = [server('k2')];
      await next.step(idle);
      expect(statesOf(next)).toEqual(['k1.test launching', 'k2.test serving']);
      expect(calls).toHaveLength(4);
    },
  );

  test.runIf(backend.isInstalled)(
    'a server that serves and leaves between two decisions is on its way no more',
    async () => {
      const pool = await load();
      await pool.step(idle);
      [servers, instances] = [
        [server('k1'), server('k2')],
        [instance('k1'), instance('k2')],
      ];
      await pool.step(undefined);
      [servers, instances] = [[server('k1')], [instance('k1')]];
      await pool.step(undefined);
      expect(statesOf(pool)).toEqual(['k1.test serving']);

      await pool.step(idle);

      expect(calls).toEqual(['launch k1', 'launch k2', 'launch k3']);
    },
  );

  test.runIf(backend.isInstalled)(
    'a launch that fails between two decisions makes the next one wait',
    async () => {
      const pool = await load();
      [instances, outcome] = [[], new DriverError('no room', 'soon')];
      await pool.step(idle);
      for (let look = 0; look < 3; look++) await pool.step(undefined);
      expect(statesOf(pool)).toEqual([]);

      const launched = () => calls.filter((call) => call.startsWith('launch'));
      await pool.step(idle);
      expect(launched()).toEqual(['launch k1', 'launch k2']);
      [nowMs, outcome] = [10_000, undefined];
      await pool.step(idle);

      expect(launched()).toEqual(['launch k1', 'launch k2', 'launch k3', 'launch k4']);
    },
  );

  test.runIf(backend.isInstalled)('goes through all states, each with its cause', async () => {
    const pool = await load();
    const seen: string[] = [];
    const step = async (facts: readonly ServerFact[], there: readonly Instance[]) => {
      [servers, instances] = [[...facts], [...there]];
      const { transitions } = await pool.step(undefined);
      seen.push(...transitions.map(({ cause, from, to }) => `${from} > ${to}: ${cause}`));
    };
    await pool.step({ ...idle, limits: { min: 1, max: 1, spare: 0 } });
    pool.noteGranted('k1.test');
    const there = [instance('k1')];
    for (const state of ['', 'joining', 'starting', 'running', 'unreachable', 'starting', 'running'])
      await step(state === '' ? [] : [server('k1', state)], there);
    for (const state of ['stopping', 'stopped', 'starting', 'running'])
      await step([server('k1', state)], there);
    await step([server('k1', 'leaving', { isOrderedToLeave: true })], there);
    await step([], there);
    await step([], []);

    expect(seen).toEqual([
      'launching > registered: its proof was accepted',
      'registered > certified: its certificate is signed',
      'certified > warming: it checks in',
      'warming > serving: its health checks succeed',
      'serving > lost: it is silent',
      'lost > warming: it checks in',
      'warming > serving: its health checks succeed',
      'serving > stopped: it stops without an order to leave',
      'stopped > warming: it checks in',
      'warming > serving: its health checks succeed',
      'serving > draining: it was told to leave',
      'draining > gone: it has left',
    ]);
    expect(calls).toEqual(['launch k1', 'end i-k1']);
    expect(await new PoolStore(database).members()).toEqual([]);
  });

  test.runIf(backend.isInstalled)(
    'a silent server is gone when the platform says twice, a minute apart, that it does not exist',
    async () => {
      const pool = await load();
      await pool.step({ ...idle, limits: { min: 1, max: 1, spare: 0 } });
      [servers, instances] = [[server('k1')], [instance('k1')]];
      await pool.step(undefined);
      servers = [server('k1', 'unreachable')];
      const look = async (atMs: number, there: typeof instances) => {
        [nowMs, instances] = [atMs, there];
        await pool.step(undefined);
        return calls.slice(1);
      };

      expect(await look(10_000, [])).toEqual([]);
      expect(await look(40_000, [instance('k1')])).toEqual([]);
      expect(await look(50_000, [])).toEqual([]);
      expect(await look(109_000, [])).toEqual([]);
      expect(await look(150_000, new Error('throttled'))).toEqual([]);
      expect(pool.problems()).toEqual(['The driver cannot list instances: throttled']);
      expect(await look(151_000, [])).toEqual(['forget k1.test']);
    },
  );

  test.runIf(backend.isInstalled)(
    'servers that others started are never ended, however long they are away',
    async () => {
      const pool = await load();
      servers = [server('own'), server('other')];
      await pool.step(idle);
      servers = [server('own', 'unreachable'), server('other', 'stopped')];
      for (nowMs = 0; nowMs < 3_600_000; nowMs += 60_000) await pool.step(undefined);

      expect(statesOf(pool)).toEqual(['other.test stopped', 'own.test lost']);
      expect(calls).toEqual([]);
    },
  );

  test.runIf(backend.isInstalled)(
    'a launch that fails is given up and replaced, later each time',
    async () => {
      const pool = await load();
      outcome = new DriverError('no capacity', 'elsewhere');
      for (nowMs = 0; nowMs < 120_000; nowMs += 5000)
        await pool.step({ ...idle, limits: { min: 1, max: 1, spare: 0 } });

      const launches = calls.filter((call) => call.startsWith('launch'));
      expect(launches).toEqual(['launch k1', 'launch k2', 'launch k3', 'launch k4']);
      expect(calls).toContain('forget k1.test');
      expect(pool.problems()).toEqual(['4 launches failed one after the other: no capacity']);
    },
  );

  test.runIf(backend.isInstalled)('an instance without an order is ended after half a minute', async () => {
    const pool = await load();
    instances = [instance('stray'), { id: 'i-other', state: 'running' }];
    for (nowMs = 0; nowMs <= 30_000; nowMs += 10_000) await pool.step(undefined);

    expect(calls).toEqual(['end i-stray']);
  });

  test.runIf(backend.isInstalled)(
    'a platform that limits how often it is asked is asked that often',
    async () => {
      let asked = 0;
      const pool = await load({
        ...driver,
        inventoryIntervalMs: 60_000,
        async inventory() {
          asked += 1;
          return [instance('stray')];
        },
      });
      for (nowMs = 0; nowMs < 180_000; nowMs += 2000) await pool.step(undefined);

      expect(asked).toBe(3);
      expect(calls).toEqual(['end i-stray', 'end i-stray']);
    },
  );

  test.runIf(backend.isInstalled)('a server that the platform will end is told to leave first', async () => {
    const pool = await load();
    [servers, instances] = [[server('k1')], [instance('k1')]];
    await pool.step(undefined);
    instances = [instance('k1', 'ending')];
    await pool.step(undefined);

    expect(calls).toEqual(['leave k1.test']);
  });
});
