import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../../test/support/backends.ts';
import { changeMigrations, serverItself } from '../../../platform/changes/index.ts';
import { type Database, migrate, openDirectDatabase, sql } from '../../../platform/storage/index.ts';
import type { NewPlanJob } from './plan-job.ts';
import { planMigrations } from './schema.ts';
import { PlanJobStore } from './store.ts';

const at = new Date('2026-11-21T09:00:00Z');
const order: NewPlanJob = {
  owner: { id: 'anna', login: 'Anna' },
  plan: 'm::plan',
  environment: 'production',
  description: 'an order',
  parameters: { targets: ['a'], count: 3 },
  createdAt: at,
};

describe.each(backends.filter(({ isInstalled }) => isInstalled))('plan jobs in $name', ({ start }) => {
  let backend: RunningBackend;
  let directory: string;
  let database: Database;
  let store: PlanJobStore;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'bunraku-plan-store-'));
    const path = join(directory, 'database.sqlite');
    const location = (await backend.createDatabase()) ?? { kind: 'sqlite', path };
    database = await openDirectDatabase(location, 'writer');
    await migrate(database, [...changeMigrations, ...planMigrations]);
    store = new PlanJobStore(database);
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  test('a request with a key starts one plan job for each owner', async () => {
    const first = await store.add({ ...order, startKey: 'k' }, serverItself);
    const again = await store.add({ ...order, startKey: 'k' }, serverItself);
    const owner = { id: 'another', login: 'another' };
    const other = await store.add({ ...order, owner, startKey: 'k' }, serverItself);
    const without = [await store.add(order, serverItself), await store.add(order, serverItself)];

    expect(first.isNew).toBe(true);
    expect(again).toEqual({ id: first.id, isNew: false });
    expect([other, ...without].map(({ isNew }) => isNew)).toEqual([true, true, true]);
    expect(await store.running()).toHaveLength(4);
  });

  test('a plan job comes back, with what came of it', async () => {
    const { id } = await store.add(order, serverItself);
    const before = await store.find(id);
    await store.finish(id, 'success', { a: [1, null] }, new Date(at.getTime() + 1000));

    expect(before).toEqual({ ...order, id, state: 'running', result: undefined, finishedAt: undefined });
    expect(await store.find(id)).toEqual({
      ...order,
      id,
      state: 'success',
      result: { a: [1, null] },
      finishedAt: new Date(at.getTime() + 1000),
    });
    expect(await store.find(id + 1)).toBeUndefined();
  });

  test('a plan ends once', async () => {
    const { id } = await store.add(order, serverItself);
    await store.finish(id, 'failure', null, at);
    await store.finish(id, 'success', 1, at);

    expect(await store.find(id)).toMatchObject({ state: 'failure', result: null });
    expect((await store.events(id, 0)).map(({ type }) => type)).toEqual(['plan_failed']);
  });

  test('events come back in their order, from one on', async () => {
    const { id } = await store.add(order, serverItself);
    const { id: other } = await store.add(order, serverItself);
    for (const message of ['one', 'two']) {
      await store.addEvent(id, { type: 'out_message', at, details: { message } });
      await store.addEvent(other, { type: 'out_message', at, details: { message: 'other' } });
    }

    const events = await store.events(id, 0);

    expect(events.map(({ details }) => details['message'])).toEqual(['one', 'two']);
    expect(await store.events(id, events[1]?.id ?? 0)).toEqual([events[1]]);
  });

  test('the list has the newest first; old ones are forgotten, running ones are not', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await store.add(order, serverItself)).id);
    const [first = 0, second = 0, third = 0] = ids;
    await store.finish(second, 'success', null, at);

    expect((await store.list(2, 0)).jobs.map(({ id }) => id)).toEqual([third, second]);
    expect(await store.list(2, 2)).toMatchObject({ jobs: [{ id: first }], total: 3 });
    expect(await store.running()).toEqual([first, third]);
    expect(await store.prune(new Date(at.getTime() + 1))).toBe(1);
    expect((await store.list(9, 0)).jobs.map(({ id }) => id)).toEqual([third, first]);
  });

  test('who started and stopped it is recorded', async () => {
    const { id } = await store.add(order, serverItself);
    await store.recordStop(id, order.plan, serverItself, at);

    const rows = await database.read(sql`select object_type, object_id, events from changes order by id`);

    expect(rows.map((row) => [row['object_type'], row['object_id']])).toEqual([
      ['plan_jobs', String(id)],
      ['plan_jobs', String(id)],
    ]);
    expect(JSON.stringify(rows)).toMatch(/Started plan job.*Stopped plan job/s);
  });
});
