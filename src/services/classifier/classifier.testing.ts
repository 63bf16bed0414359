/** A classifier behind its API, with a database in a temporary directory. For tests. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import { changeMigrations } from '../../platform/changes/index.ts';
import { createHttpServer, type HttpServer, type IdentityAccess } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import { rootId } from './group.ts';
import { Classifier, classifierMigrations, classifierRoutes, GroupStore, type KnownNodes } from './index.ts';
import type { KnownClasses } from './referents.ts';

const opened: (() => Promise<void>)[] = [];

/** What was opened since the last time. */
export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).toReversed()) await close();
}

export async function openDatabase(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-classifier-'));
  const database = await openSqliteDatabase({ path: join(directory, 'test.sqlite'), hasReaderThread: false });
  opened.push(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });
  await migrate(database, [...changeMigrations, ...classifierMigrations]);
  return database;
}

export interface Client {
  readonly classifier: Classifier;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: Record<string, unknown>;
}

/**
 * Behind its API, with what was kept before.
 *
 * @param classes - what the code has that is served
 * @param servers - who may change the group `PE Master`
 * @param nodes - that PuppetDB knows
 */
export async function open(
  database?: Database,
  classes?: KnownClasses,
  servers: IdentityAccess = { kind: 'anyone' },
  nodes?: KnownNodes,
): Promise<Client> {
  const ids = { next: 0 };
  const classifier = await Classifier.open({
    store: new GroupStore(database ?? (await openDatabase())),
    log: silentLogger,
    serverGroups: new Set(['PE Master']),
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    newId: () => `11111111-1111-4111-8111-${String((ids.next += 1)).padStart(12, '0')}`,
  });
  const server: HttpServer = createHttpServer({
    routes: checkedRoutes(
      classifierRoutes(
        classifier,
        { view: { kind: 'anyone' }, viewSome: { kind: 'anyone' }, modify: { kind: 'anyone' }, servers },
        classes,
        nodes,
      ),
    ),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await server.listen(0, '127.0.0.1');
  opened.push(() => server.drain(0));
  return {
    classifier,
    async ask(method, path, body) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(
        `http://127.0.0.1:${port}/classifier-api/${/^v\d\//.test(path) ? '' : 'v1/'}${path}`,
        {
          method,
          redirect: 'manual',
          ...(text === undefined ? {} : { body: text as string }),
        },
      );
      const answer = await response.text();
      const location = response.headers.get('location');
      return { status: response.status, location, body: answer === '' ? undefined : JSON.parse(answer) };
    },
  };
}

/** @returns the id */
export async function create(client: Client, group: Readonly<Record<string, unknown>>): Promise<string> {
  const { body, location, status } = await client.ask('POST', 'groups', {
    parent: rootId,
    classes: {},
    ...group,
  });
  expect(status, JSON.stringify(body)).toBe(303);
  return location?.split('/').at(-1) ?? '';
}
