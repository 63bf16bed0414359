import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../platform/changes/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import { decodeJoinToken, joinSecret } from './join-token.ts';
import { protocol } from './protocol.ts';
import { ServerRegister } from './server-register.ts';
import { statusEntries } from './status-entries.ts';
import { InfrastructureStore, infrastructureMigrations } from './store.ts';
import { TokenRegister } from './token-register.ts';
import { type CheckIn, CheckInWire } from './wire.ts';

const fingerprint = 'ab'.repeat(32);
let base: string;
let database: Database;
let store: InfrastructureStore;
let nowMs: number;
/** Of the clock that is never moved. */
let elapsedMs: number;
const now = () => new Date(nowMs);

beforeEach(async () => {
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  elapsedMs = 1000;
  base = await mkdtemp(join(tmpdir(), 'bunraku-infrastructure-'));
  database = await openSqliteDatabase({ path: join(base, 'database.sqlite') });
  await migrate(database, infrastructureMigrations);
  store = new InfrastructureStore(database);
});

afterEach(async () => {
  await database.close();
  await rm(base, { recursive: true });
});

function shown(certname: string, serial: string) {
  return { certname, serial, extensions: {} };
}

function report(changes: Partial<CheckIn> = {}): CheckIn {
  return CheckInWire.parse({
    state: 'running',
    version: '7.23.0',
    protocol,
    url: 'https://compile1.test:8140',
    started_at: '2026-01-01T00:00:00Z',
    services: { master: { state: 'running' }, server: { state: 'running' } },
    code: { production: 'abc' },
    load: { workers: 2, busy_workers: 1, queued: 0, load_average: 0.5, cores: 2, resident_bytes: 1 },
    ...changes,
  });
}

test('a server cannot say that it is where nothing can be', () => {
  expect(() => report({ url: 'compile1.test' })).toThrow('Invalid URL');
});

describe('tokens', () => {
  const order = { certnames: ['*'], altNames: ['DNS:puppet'], createdBy: 'primary.test' };
  const register = () => new TokenRegister({ store, caFingerprint: () => fingerprint, now });

  test('say which CA to believe, and keep no secret in the database', async () => {
    const { token } = await register().create({ ...order, uses: 1 });

    const decoded = decodeJoinToken(token);

    expect(decoded?.caFingerprint).toBe(fingerprint);
    expect(JSON.stringify(await store.tokens())).not.toContain(decoded?.secret);
  });

  test('are used once for each key, and not by more servers than they are for', async () => {
    const tokens = register();
    const { token } = await tokens.create({ ...order, uses: 1 });
    const [known] = [decodeJoinToken(token)].flatMap((decoded) => (decoded ? [joinSecret(decoded)] : []));
    const secret = known ?? '';

    await tokens.use(secret, 'one.test', '01');
    await tokens.use(secret, 'one.test', '01');

    expect(await tokens.grant(secret, 'one.test', '01')).toEqual({
      certnames: ['*'],
      altNames: ['DNS:puppet'],
    });
    await expect(tokens.use(secret, 'one.test', '02')).rejects.toThrow(
      'The token to join with has been used up',
    );
    await expect(tokens.grant(secret, 'two.test', '01')).rejects.toThrow('has been used up');
  });

  test('of many who ask at once with one use, one gets it', async () => {
    const tokens = register();
    const { token } = await tokens.create({ ...order, uses: 1 });

    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => tokens.use(token, `n${index}.test`, '01')),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('end, and are not guessed', async () => {
    const tokens = register();
    const { id, token } = await tokens.create({ ...order, ttlSeconds: 60 });
    const forged = `bunraku.${id}.${'A'.repeat(32)}`;

    await expect(tokens.grant(forged, 'one.test', '01')).rejects.toThrow('is not known');
    await tokens.use(token, 'one.test', '01');
    nowMs += 60_000;
    await expect(tokens.grant(token, 'one.test', '01')).rejects.toThrow('ended at 2026-01-01T00:01:00.000Z');
    await tokens.remove(id);
    await expect(tokens.grant(token, 'one.test', '01')).rejects.toThrow('is not known');
    await expect(tokens.remove(id)).rejects.toThrow(`There is no token ${id}`);
  });
});

describe('servers', () => {
  const recorded: Change[] = [];
  const record = async (change: Change) => void recorded.push(change);
  const load = () =>
    ServerRegister.load(store, { log: silentLogger, now, record, elapsedMs: () => elapsedMs });
  const stateOf = (servers: ServerRegister, certname: string) => {
    const server = servers.find(certname);
    return server && servers.stateOf(server);
  };

  test('are joining, then what they say, then unreachable when they say nothing', async () => {
    const servers = await load();
    await servers.noteJoined('compile1.test');
    const states = [stateOf(servers, 'compile1.test')];

    await servers.checkIn(shown('compile1.test', '5'), report({ state: 'starting' }));
    states.push(stateOf(servers, 'compile1.test'));
    await servers.checkIn(shown('compile1.test', '5'), report());
    states.push(stateOf(servers, 'compile1.test'));
    elapsedMs += 60_000;
    states.push(stateOf(servers, 'compile1.test'));

    expect(states).toEqual(['joining', 'starting', 'running', 'unreachable']);
    expect(recorded.map(({ events: [event] }) => event?.message)).toEqual([
      'compile1.test joined as a compile server',
    ]);
  });

  test('are there whatever the clock says, and for a while after a restart of the primary', async () => {
    const before = await load();
    await before.checkIn(shown('compile1.test', '5'), report());
    nowMs += 3_600_000;
    const states = [stateOf(before, 'compile1.test')];
    const after = await load();
    states.push(stateOf(after, 'compile1.test'));
    elapsedMs += 10_000;
    states.push(stateOf(after, 'compile1.test'));
    await after.checkIn(shown('compile1.test', '5'), report());
    nowMs -= 7_200_000;
    states.push(stateOf(after, 'compile1.test'));

    expect(states).toEqual(['running', 'running', 'unreachable', 'running']);
  });

  test('are not unreachable while the primary starts, however long that takes', async () => {
    await (await load()).checkIn(shown('compile1.test', '5'), report());
    const register = await load();

    elapsedMs += 60_000;
    register.noteListening();
    expect(stateOf(register, 'compile1.test')).toBe('running');
    elapsedMs += 10_000;
    expect(stateOf(register, 'compile1.test')).toBe('unreachable');
  });

  test('that said that they stop have not vanished, and are known after a restart of the primary', async () => {
    const before = await load();
    await before.checkIn(shown('compile1.test', '5'), report({ state: 'stopped' }));
    nowMs += 86_400_000;

    const after = await load();

    expect(stateOf(after, 'compile1.test')).toBe('stopped');
    expect(after.find('compile1.test')?.report?.code).toEqual({ production: 'abc' });
  });

  test('that vanish are told of once, and again when they were back in between', async () => {
    const told: string[] = [];
    const note = (_fields: object, message: string) => void told.push(message);
    const log = { ...silentLogger, info: note, warn: note };
    const servers = await ServerRegister.load(store, { log, now, record, elapsedMs: () => elapsedMs });
    await servers.checkIn(shown('compile1.test', '5'), report());
    servers.noteVanished();
    elapsedMs += 10_000;
    servers.noteVanished();
    servers.noteVanished();
    await servers.checkIn(shown('compile1.test', '5'), report());
    elapsedMs += 10_000;
    servers.noteVanished();

    expect(told).toEqual([
      'state of a compile server',
      'a compile server has vanished',
      'a compile server is back',
      'a compile server has vanished',
    ]);
  });

  test('whose certificate was revoked are forgotten, others are not', async () => {
    const servers = await load();
    await servers.checkIn(shown('gone.test', '5'), report());
    await servers.checkIn(shown('here.test', '6'), report());

    await servers.forgetRevoked((serial) => serial === '5');

    expect(servers.all().map(({ certname }) => certname)).toEqual(['here.test']);
    expect((await load()).all()).toHaveLength(1);
  });

  test('that have lost their rights are dismissed, and keep their other groups', async () => {
    const unpinned: string[] = [];
    const forgotten: string[] = [];
    const groups = { admit: async () => {}, unpin: async (certname: string) => void unpinned.push(certname) };
    const onForgotten = (certname: string) => void forgotten.push(certname);
    const options = { log: silentLogger, now, record, groups, onForgotten };
    const servers = await ServerRegister.load(store, options);
    await servers.noteJoined('joining.test');
    await servers.checkIn(shown('gone.test', '5'), report());
    await servers.checkIn(shown('here.test', '6'), report());

    await servers.dismiss(async (certname, serial) => certname !== 'gone.test' || serial !== '5');

    expect(servers.all().map(({ certname }) => certname)).toEqual(['here.test', 'joining.test']);
    expect((await store.servers()).map(({ certname }) => certname).sort()).toEqual([
      'here.test',
      'joining.test',
    ]);
    expect([unpinned, forgotten]).toEqual([[], ['gone.test']]);
  });

  test('are in their group from when they are known until they leave, whatever was cut short', async () => {
    const calls: string[] = [];
    const groups = {
      admit: async ({ certname }: { readonly certname: string }) => void calls.push(`admit ${certname}`),
      unpin: async (certname: string) => void calls.push(`unpin ${certname}`),
    };
    const servers = await ServerRegister.load(store, { log: silentLogger, now, record, groups });
    await servers.noteJoined('token.test');
    await servers.checkIn(shown('token.test', '01'), report());
    await servers.checkIn(shown('classic.test', '02'), report());
    await servers.checkIn(shown('classic.test', '02'), report());
    const again = await ServerRegister.load(store, { log: silentLogger, now, record, groups });
    await again.checkIn(shown('classic.test', '02'), report());
    await again.forgetRevoked((serial) => serial === '02');
    const failing = { ...groups, unpin: () => Promise.reject(new Error('away')) };
    const halfWay = await ServerRegister.load(store, { log: silentLogger, now, record, groups: failing });

    await expect(halfWay.forget('token.test')).rejects.toThrow('away');

    expect(calls).toEqual([
      'admit token.test',
      'admit classic.test',
      'admit classic.test',
      'unpin classic.test',
    ]);
    expect((await store.servers()).map(({ certname }) => certname)).toEqual(['token.test']);
    expect(halfWay.find('token.test')).toBeDefined();
  });
});

test('a certificate that was not renewed in time is an alert', () => {
  const server = {
    certname: 'c.test',
    role: 'compile server',
    state: 'running',
    joinedAt: now(),
    lastContactAt: now(),
  } as const;

  const [entry] = statusEntries({
    ...server,
    report: report({ certificate_ends_at: '2026-01-04T00:00:00Z' }),
  });

  expect(entry?.alerts).toEqual([{ severity: 'warning', message: 'Its certificate ends in 3 days' }]);
});

test('a server that speaks another protocol is an alert', () => {
  const [entry] = statusEntries({
    certname: 'c.test',
    role: 'compile server',
    state: 'running',
    joinedAt: now(),
    lastContactAt: now(),
    report: report({ protocol: protocol - 1 }),
  });

  expect(entry?.alerts).toEqual([
    {
      severity: 'warning',
      message: `It speaks protocol ${protocol - 1}, the primary ${protocol}: update the older of the two`,
    },
  ]);
});

test('services are listed with the fields of puppet infrastructure status', () => {
  const common = {
    certname: 'compile1.test',
    role: 'compile server',
    lastContactAt: now(),
    joinedAt: now(),
  } as const;

  const [running] = statusEntries({ ...common, state: 'running', report: report() });
  const lost = statusEntries({ ...common, state: 'unreachable', report: report() });

  expect(running).toMatchObject({
    service: 'pe-master',
    state: 'running',
    status: { role: 'compile server', code: { production: 'abc' } },
    display_name: 'Puppet Server',
    server: 'compile1.test',
    url: 'https://compile1.test:8140/',
    type: 'master',
    alerts: [],
  });
  expect(lost).toEqual([
    {
      service: 'pe-master',
      state: 'unreachable',
      status: null,
      display_name: 'Puppet Server',
      server: 'compile1.test',
      url: 'https://compile1.test:8140/',
      type: 'master',
      alerts: [],
    },
  ]);
});

test('runs in a check-in are passed on with it, and not kept', async () => {
  const told: CheckIn[] = [];
  const servers = await ServerRegister.load(store, {
    log: silentLogger,
    now,
    record: async () => {},
    onReport: (_certname, said) => told.push(said),
  });
  const runs = [{ node: 'a.test', age_ms: 5, worker_ms: 100 }];
  const work = { work: 0.5, backlog_seconds: 1, event_loop: 0.1, first_run: 7, runs };

  await servers.checkIn(shown('compile1.test', '01'), report({ work }));

  expect(told.map(({ work: said }) => said)).toEqual([work]);
  expect(servers.find('compile1.test')?.report?.work).toEqual({ ...work, runs: [] });
  expect((await store.servers())[0]?.lastReport).not.toContain('a.test');
});
