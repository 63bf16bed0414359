import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../../../test/support/backends.ts';
import { createHttpServer, type HttpServer, TrustedProxies } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import { consoleMigrations } from '../views/store.ts';
import { preferenceRoutes } from './preference-routes.ts';
import { PreferenceStore, preferenceMigrations } from './preference-store.ts';

const usual = { theme: 'system', density: 'usual', letter_keys: true, time_zone: '' };

describe.each(backends.filter(({ isInstalled }) => isInstalled))('preferences in $name', ({ start }) => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-preferences-'));
  let database: Database;
  let store: PreferenceStore;
  let http: HttpServer;
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const backend = await start();
    ({ stop } = backend);
    const path = join(directory, 'database.sqlite');
    database = await openDirectDatabase(
      (await backend.createDatabase()) ?? { kind: 'sqlite', path },
      'writer',
    );
    await migrate(database, [...consoleMigrations, ...preferenceMigrations]);
    store = new PreferenceStore(database);
    http = createHttpServer({
      routes: preferenceRoutes(store),
      authorization: { rules: [], allowHeaderCertInfo: false },
      authenticate: async (login, address) => ({
        kind: 'user',
        id: login,
        login,
        address,
        permits: () => false,
      }),
      trustedProxies: new TrustedProxies([]),
      log: silentLogger,
    });
    url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/console-api/v1/preferences`;
  });
  afterAll(async () => {
    await http.drain(0);
    await database.close();
    await stop();
    rmSync(directory, { recursive: true });
  });

  const ask = async (user: string, wanted?: object) => {
    const answer = await fetch(url, {
      headers: { 'x-authentication': user, 'content-type': 'application/json' },
      ...(wanted === undefined ? {} : { method: 'PUT', body: JSON.stringify(wanted) }),
    });
    return { status: answer.status, body: await answer.json() };
  };

  test('each user has their own, and the usual ones before they choose', async () => {
    const chosen = { theme: 'dark', density: 'compact', letter_keys: false, time_zone: 'Europe/Berlin' };

    expect(await ask('anna')).toEqual({ status: 200, body: usual });
    expect(await ask('anna', chosen)).toEqual({ status: 200, body: chosen });
    expect(await ask('anna', { theme: 'light' })).toEqual({
      status: 200,
      body: { ...usual, theme: 'light' },
    });
    expect((await ask('anna')).body).toEqual({ ...usual, theme: 'light' });
    expect((await ask('ben')).body).toEqual(usual);
  });

  test('what is not known is refused, and stored values of another version count as the usual ones', async () => {
    expect((await ask('ben', { theme: 'pink' })).status).toBe(400);
    expect((await ask('ben', { colour: 'pink' })).status).toBe(400);
    await store.save('ben', { theme: 'of a later version' });

    expect((await ask('ben')).body).toEqual(usual);
  });
});
