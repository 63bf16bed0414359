import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canMount, SmallDisk } from '../../test/filesync/full-disk.ts';
import { silentLogger } from '../platform/log/index.ts';
import { migrate, openSqliteDatabase } from '../platform/storage/index.ts';
import { Outbox, OutboxStore, outboxMigrations } from '../services/outbox/index.ts';
import { StatusRegistry } from '../services/status/index.ts';
import { DiskWatch } from './disk-watch.ts';

function watchOf(directory: string, others: readonly string[] = []) {
  const disks = new DiskWatch({ directory, others, log: silentLogger });
  onTestFinished(() => disks.stop());
  const registry = new StatusRegistry(silentLogger);
  registry.register(disks.status('1'));
  return { disks, registry };
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-disk-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('directories that take data, are missing or belong to others are no problem, and nothing but the reserve is left in them', async () => {
  const directory = temporaryDirectory();
  const { disks, registry } = watchOf(directory, [join(directory, 'missing'), '/proc']);

  await disks.check();

  expect(await registry.state()).toBe('running');
  expect(disks.alerts).toEqual([]);
  expect(readdirSync(directory)).toEqual(['.disk-reserve']);
});

test('the directory of the state has to take data', async () => {
  const { disks, registry } = watchOf('/proc');

  await disks.check();

  expect(await registry.state()).toBe('error');
  expect(disks.alerts[0]?.message).toMatch(/^Nothing can be written to \/proc: /);
});

test.runIf(canMount())('a full disk shows until it takes data again, wherever it is', async () => {
  const directory = temporaryDirectory();
  const state = join(directory, 'state');
  mkdirSync(state);
  const disk = new SmallDisk(join(directory, 'ca'), 4);
  onTestFinished(() => disk.unmount());
  const { disks, registry } = watchOf(state, [disk.path]);

  disk.leave(4096);
  await disks.check();

  expect(await registry.state()).toBe('error');
  expect(disks.alerts).toEqual([
    { severity: 'error', message: `Nothing can be written to ${disk.path}: no space left on device` },
  ]);
  expect(readdirSync(disk.path)).toEqual(['filler']);

  disk.free();
  await disks.check();

  expect(await registry.state()).toBe('running');
  expect(disks.alerts).toEqual([]);
});

test.runIf(canMount())(
  'what agents send is stored on a full disk while the status takes the server away',
  async () => {
    const directory = temporaryDirectory();
    const disk = new SmallDisk(join(directory, 'state'), 64);
    onTestFinished(() => disk.unmount());
    const { disks, registry } = watchOf(disk.path);
    const database = await openSqliteDatabase({ path: join(disk.path, 'bunraku.sqlite') });
    onTestFinished(() => database.close());
    await migrate(database, outboxMigrations);
    const store = new OutboxStore(database, () => new Date());
    const destination = { nodesAtOnce: 1, send: () => Promise.resolve('taken' as const) };
    const common = { store, destination, log: silentLogger, retryIntervalMs: 1000 };
    const [bare, guarded] = [new Outbox(common), new Outbox({ ...common, makeRoom: () => disks.makeRoom() })];
    const report = {
      command: 'store_report',
      version: 1,
      certname: 'a',
      producerTimestamp: '2026-11-21T10:00:00.000Z',
    };
    const payload = JSON.stringify('x'.repeat(200_000));
    await disks.check();
    disk.leave(0);

    await expect(bare.put({ ...report, payload })).rejects.toThrow();
    for (let count = 0; count < 20; count += 1) await guarded.put({ ...report, payload });

    expect(await guarded.count()).toBe(20);
    expect(await registry.state()).toBe('error');
    await disks.check();
    expect(disks.alerts[0]?.message).toContain(
      `Nothing can be written to ${disk.path}: less than 32 MiB are left`,
    );

    disk.free();
    await disks.check();

    expect(await registry.state()).toBe('running');
    expect(readdirSync(disk.path)).toContain('.disk-reserve');
  },
);
