import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../../../test/support/backends.ts';
import { type Database, migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import { SavedViewWire } from '../wire.ts';
import { SavedViews } from './saved-views.ts';
import { consoleMigrations, ViewStore } from './store.ts';
import { viewRoutes } from './view-routes.ts';

const [anna, ben] = [
  { id: '1', login: 'anna' },
  { id: '2', login: 'ben' },
];
const failed = { kind: 'nodes', name: 'Failed', content: 'q=status:failed', is_shared: false } as const;

describe.each(backends.filter(({ isInstalled }) => isInstalled))('saved views in $name', ({ start }) => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-views-'));
  let database: Database;
  let views: SavedViews;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const backend = await start();
    ({ stop } = backend);
    const path = join(directory, 'database.sqlite');
    database = await openDirectDatabase(
      (await backend.createDatabase()) ?? { kind: 'sqlite', path },
      'writer',
    );
    await migrate(database, consoleMigrations);
    let ids = 0;
    views = new SavedViews(new ViewStore(database), {
      now: () => new Date('2026-11-21T09:00:00Z'),
      newId: () => `view-${++ids}`,
    });
  });
  afterAll(async () => {
    await database.close();
    await stop();
    rmSync(directory, { recursive: true });
  });

  const namesFor = async (user: typeof anna) => (await views.list(user)).map(({ name }) => name);

  test('are seen by their owner alone, until they are shared', async () => {
    const { id } = await views.add(anna, failed);
    expect([await namesFor(anna), await namesFor(ben)]).toEqual([['Failed'], []]);

    await views.change(anna, id, { ...failed, name: 'All that failed', is_shared: true });
    expect(await views.list(ben)).toEqual([
      {
        id,
        kind: 'nodes',
        name: 'All that failed',
        content: 'q=status:failed',
        ownerId: '1',
        ownerLogin: 'anna',
        isShared: true,
        changedAt: new Date('2026-11-21T09:00:00Z'),
      },
    ]);
  });

  test('are changed and deleted by their owner alone', async () => {
    const shared = await views.add(anna, { ...failed, is_shared: true });
    const own = await views.add(anna, failed);

    await expect(views.change(ben, shared.id, failed)).rejects.toThrow('belongs to anna');
    await expect(views.remove(ben, shared.id)).rejects.toThrow('belongs to anna');
    await expect(views.remove(ben, own.id)).rejects.toThrow(`There is no view ${own.id}`);
    await views.remove(anna, own.id);
    await expect(views.remove(anna, own.id)).rejects.toThrow('There is no view');
  });

  test('are at most 200 for a user', async () => {
    const before = (await views.list(ben)).filter(({ ownerId }) => ownerId === ben.id).length;
    for (let count = before; count < 200; count++) await views.add(ben, failed);

    await expect(views.add(ben, failed)).rejects.toThrow('ben has 200 views already');
  });

  test('are answered in the shape that pages expect', async () => {
    const add = viewRoutes(views).find(({ method }) => method === 'POST');
    const request = {
      body: () =>
        Promise.resolve(Buffer.from(JSON.stringify({ kind: 'query', name: ' Q ', content: 'nodes {}' }))),
      identity: { kind: 'user', ...anna },
    };
    const { body } = (await add?.handle(request as never)) ?? {};

    expect(SavedViewWire.parse(JSON.parse(String(body)))).toMatchObject({
      name: 'Q',
      is_own: true,
      is_shared: false,
      owner: 'anna',
    });
  });
});
