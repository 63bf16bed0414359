import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import type { Change } from '../../platform/changes/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase } from '../../platform/storage/index.ts';
import { Departures } from './departure.ts';
import { ServerRegister } from './server-register.ts';
import { InfrastructureStore, infrastructureMigrations } from './store.ts';
import type { CheckIn } from './wire.ts';

const minute = 60_000;

describe.each(backends)('A departure, on $name', (backend) => {
  let base: string;
  let running: RunningBackend;
  let database: Database;
  let servers: ServerRegister;
  let departures: Departures;
  let elapsedMs: number;
  let steps: string[];
  let revoked: Set<string>;
  let recorded: Change[];
  /** The step that fails. */
  let broken: string;

  beforeAll(async () => {
    if (backend.isInstalled) running = await backend.start();
  });
  afterAll(() => running?.stop());
  beforeEach(async () => {
    if (!backend.isInstalled) return;
    base = await mkdtemp(join(tmpdir(), 'bunraku-departure-'));
    const location = await running.createDatabase();
    database = await openDirectDatabase(
      location ?? { kind: 'sqlite', path: join(base, 'database.sqlite') },
      'writer',
    );
    await migrate(database, infrastructureMigrations);
    [elapsedMs, steps, revoked, recorded, broken] = [0, [], new Set(), [], ''];
    await restart();
  });
  afterEach(async () => {
    if (!backend.isInstalled) return;
    await database.close();
    await rm(base, { recursive: true });
  });

  /** As after the end of the primary, however that came. */
  async function restart(): Promise<void> {
    const store = new InfrastructureStore(database);
    const record = async (change: Change) => void recorded.push(change);
    const now = () => new Date();
    servers = await ServerRegister.load(store, {
      log: silentLogger,
      now,
      record,
      elapsedMs: () => elapsedMs,
    });
    const step = (name: string) => async (certname: string) => {
      if (broken === name) throw new Error(`${name} failed`);
      steps.push(name);
      if (name === 'remove') revoked.add(certname);
    };
    departures = new Departures({
      self: 'primary.test',
      servers,
      certificates: {
        isIssued: async (certname) => !revoked.has(certname),
        revoke: step('revoke'),
        remove: step('remove'),
      },
      memory: { deactivate: step('deactivate') },
      drainTimeoutMs: 300_000,
      record,
      log: silentLogger,
    });
  }

  function report(state: CheckIn['state'], undelivered = 0): CheckIn {
    return {
      state,
      version: '8.0.0',
      role: 'compile server',
      protocol: 2,
      url: 'https://compile1.test:8140',
      started_at: '2026-01-01T00:00:00Z',
      services: {},
      code: {},
      load: { workers: 1, busy_workers: 0, queued: 0, load_average: 0, cores: 1, resident_bytes: 1 },
      undelivered,
    };
  }

  async function say(state: CheckIn['state'], undelivered = 0): Promise<boolean> {
    const shown = { certname: 'compile1.test', serial: '05', extensions: {} };
    return (await servers.checkIn(shown, report(state, undelivered))).leave;
  }

  const stateOf = () => {
    const server = servers.find('compile1.test');
    return server && servers.stateOf(server);
  };

  test.runIf(backend.isInstalled)(
    'goes in order: told, drained, revoked, removed, deactivated, forgotten',
    async () => {
      await say('running');

      const leaving = departures.leave('compile1.test', false, 'test');
      await expect.poll(stateOf).toBe('leaving');
      steps.push(`told: ${await say('stopping')}`);
      await say('drained');
      await departures.look();

      expect(await leaving).toMatchObject({ drained: 'yes', wasRevoked: true, wasDeactivated: true });
      expect(steps).toEqual(['told: true', 'revoke', 'remove', 'deactivate']);
      expect(servers.all()).toEqual([]);
      await expect(departures.leave('web.test', false, 'test')).rejects.toThrow(
        'web.test is not known as a compile server; with --force its certificate is revoked all the same',
      );
      await expect(departures.leave('primary.test', true, 'test')).rejects.toThrow('it cannot leave');
    },
  );

  test.runIf(backend.isInstalled)('that takes too long is called off, and goes on with force', async () => {
    await say('running');
    const hasty = new Departures({ ...departuresOptions(), drainTimeoutMs: 20 });

    await expect(hasty.leave('compile1.test', false, 'test')).rejects.toThrow(
      'compile1.test has not drained within 0.02 s',
    );
    expect(stateOf()).toBe('running');
    await restart();
    expect(await say('running')).toBe(false);
    expect(await departures.leave('compile1.test', true, 'test')).toMatchObject({ drained: 'skipped' });
  });

  test.runIf(backend.isInstalled)(
    'that was ordered is completed by the next process of the primary, whatever step was cut short',
    async () => {
      for (const step of ['revoke', 'remove', 'deactivate', '']) {
        await say('running');
        await departures.order('compile1.test', 'test');
        await restart();
        expect(await say('running')).toBe(true);
        await say('drained');
        broken = step;
        const look = departures.look();
        if (step === '') await look;
        else await expect(look).rejects.toThrow(`${step} failed`);
        broken = '';
        await restart();
        await departures.look();

        expect(servers.all()).toEqual([]);
        expect(revoked).toEqual(new Set(['compile1.test']));
        expect(steps.at(-1)).toBe('deactivate');
        revoked.clear();
      }
      const messages = recorded.flatMap(({ events }) => events.map(({ message }) => message));
      expect(messages).toContain('The compile server compile1.test left: its certificate is revoked');
    },
  );

  test.runIf(backend.isInstalled)(
    'does not begin by a stop: the server keeps its certificate, also over a restart of the primary',
    async () => {
      await say('running');
      await say('stopping');
      await say('stopped');
      for (elapsedMs = 0; elapsedMs < 60 * minute; elapsedMs += minute) await departures.look();
      await restart();
      await departures.look();

      expect(steps).toEqual([]);
      expect(stateOf()).toBe('stopped');
      expect(await say('starting')).toBe(false);
    },
  );

  test.runIf(backend.isInstalled)('waits for messages that a stopped server still keeps', async () => {
    await say('running');
    await departures.order('compile1.test', 'test');
    await say('stopped', 3);
    await departures.look();
    expect(steps).toEqual([]);

    expect(await say('starting', 3)).toBe(true);
    await say('drained');
    await departures.look();

    expect(servers.all()).toEqual([]);
  });

  test.runIf(backend.isInstalled)(
    'of a server that dies on the way is completed after two minutes',
    async () => {
      await say('running', 2);
      await departures.order('compile1.test', 'test');
      elapsedMs = 2 * minute - 1;
      await departures.look();
      expect(stateOf()).toBe('unreachable');

      elapsedMs = 2 * minute;
      await departures.look();

      expect(servers.all()).toEqual([]);
      expect(departures.warnings()).toEqual(['compile1.test has left and had not delivered 2 messages']);
    },
  );

  test.runIf(backend.isInstalled)('is not ordered of a server that cannot drain', async () => {
    await say('running');
    elapsedMs = minute;

    await expect(departures.order('compile1.test', 'test')).rejects.toThrow(
      'compile1.test is unreachable: it cannot drain, but it can be forgotten',
    );
    await expect(departures.order('other.test', 'test')).rejects.toThrow('not known as a compile server');
    await expect(departures.order('primary.test', 'test')).rejects.toThrow('it cannot leave');
  });

  function departuresOptions() {
    const nothing = async () => {};
    const certificates = { isIssued: async () => true, revoke: nothing, remove: nothing };
    return { self: 'primary.test', servers, certificates, drainTimeoutMs: 20, log: silentLogger };
  }
});
