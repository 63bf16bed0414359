/** Migrations keep the data that an earlier release has stored. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backends } from '../../../test/support/backends.ts';
import { changeMigrations } from '../../platform/changes/index.ts';
import { migrate, openDirectDatabase, openSqliteDatabase, sql } from '../../platform/storage/index.ts';
import { rbacMigrations } from './schema.ts';
import { UserGroupStore } from './user-groups/user-group-store.ts';

test.each(backends.filter(({ isInstalled }) => isInstalled))(
  'groups of directories are kept when identity providers come to have groups, on $name',
  async (backend) => {
    const running = await backend.start();
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-rbac-schema-'));
    const location = await running.createDatabase();
    const database =
      location === undefined
        ? await openSqliteDatabase({ path: join(directory, 'database.sqlite') })
        : await openDirectDatabase(location, 'writer');
    onTestFinished(async () => {
      await database.close();
      rmSync(directory, { recursive: true });
      await running.stop();
    });
    await migrate(database, [...changeMigrations, ...rbacMigrations.filter(({ number }) => number < 6)]);
    const groups = new UserGroupStore(database);
    const ops = { id: 'g1', directoryId: 'd1', login: 'ops', displayName: 'The ops', roleIds: [2, 3] };
    await database.write([
      sql`insert into rbac_directories (id, created_at, is_connected, settings)
        values ('d1', '2026-01-01T00:00:00.000Z', ${true}, '{}')`,
    ]);
    await groups.add(ops, []);

    await migrate(database, [...changeMigrations, ...rbacMigrations]);

    expect(await groups.all()).toEqual([ops]);
    await groups.add({ ...ops, id: 'g2', directoryId: 'a provider' }, []);
    expect((await groups.all()).map(({ id }) => id)).toEqual(['g1', 'g2']);
  },
);
