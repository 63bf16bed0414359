/** A classifier behind its API, for tests of the commands that ask it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeMigrations } from '../../platform/changes/index.ts';
import { createHttpServer } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import {
  Classifier,
  classifierMigrations,
  classifierRoutes,
  GroupStore,
  type KnownNodes,
} from '../../services/classifier/index.ts';
import { decodeGroups, type WireGroup } from './connection.ts';

export const rootId = '00000000-0000-4000-8000-000000000000';

export interface TestClassifier {
  /** @returns the answer's body, or the status and the message when it is refused */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  groups(): Promise<readonly WireGroup[]>;
  close(): Promise<void>;
}

interface NodeOfTest {
  readonly name: string;
  readonly fact: Awaited<ReturnType<KnownNodes['read']>>[number]['fact'];
}

/** @param nodes - those that PuppetDB has facts of @param primary - has its preconfigured groups when given */
export async function testClassifier(
  nodes: readonly NodeOfTest[] = [],
  primary?: string,
): Promise<TestClassifier> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-groups-'));
  const database = await openSqliteDatabase({ path: join(directory, 'test.sqlite'), hasReaderThread: false });
  await migrate(database, [...changeMigrations, ...classifierMigrations]);
  const ids = { next: 0 };
  const classifier = await Classifier.open({
    store: new GroupStore(database),
    log: silentLogger,
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    newId: () => `11111111-1111-4111-8111-${String((ids.next += 1)).padStart(12, '0')}`,
    ...(primary === undefined ? {} : { primary }),
  });
  const found = (names: readonly string[]) =>
    nodes
      .filter(({ name }) => names.includes(name))
      .map((node) => ({ ...node, trusted: { certname: node.name } }));
  const known: KnownNodes = {
    names: () => Promise.resolve(nodes.map(({ name }) => name)),
    read: (names) => Promise.resolve(found(names)),
    readFacts: (names, facts) =>
      Promise.resolve(
        found(names).map((node) => ({
          ...node,
          fact: Object.fromEntries(Object.entries(node.fact).filter(([fact]) => facts.includes(fact))),
        })),
      ),
  };
  const anyone = { kind: 'anyone' } as const;
  const servers = { kind: 'certname', allows: () => false } as const;
  const http = createHttpServer({
    routes: classifierRoutes(
      classifier,
      { view: anyone, viewSome: anyone, modify: anyone, servers },
      undefined,
      known,
    ),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/classifier-api/v1/${path}`, {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 400) return { status: response.status, ...(JSON.parse(text) as object) };
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    ask,
    groups: async () => decodeGroups(await ask('GET', 'groups')),
    async close() {
      await http.drain(0);
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}
