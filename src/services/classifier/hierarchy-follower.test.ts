import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createHttpServer, type Route } from '../../platform/http/index.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { closeAll, create, open } from './classifier.testing.ts';
import { HierarchyFollower } from './hierarchy-follower.ts';
import { hierarchyRoute } from './hierarchy-route.ts';

const directory = mkdtempSync(join(tmpdir(), 'bunraku-groups-'));
const opened: (() => Promise<void> | void)[] = [];
let files = 0;

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
  await closeAll();
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a server has the groups of the primary, and each change at once', async () => {
  const client = await open();
  const follower = await following(await serving([hierarchyRoute(client.classifier, anyone, never)]));
  await expect.poll(() => namesIn(follower)).toEqual(['All Nodes']);

  const web = await create(client, { name: 'Web', classes: { apache: {} }, rule: ['=', 'name', 'web'] });

  await expect.poll(() => namesIn(follower)).toEqual(['All Nodes', 'Web']);
  const { copy } = follower;
  expect(copy.kind === 'groups' && copy.hierarchy.find(web)).toEqual(client.classifier.get(web));
});

test('it has them after a restart, while the primary is away', async () => {
  const client = await open();
  const url = await serving([hierarchyRoute(client.classifier, anyone, never)]);
  const file = newFile();
  const before = await following(url, file);
  await expect.poll(() => namesIn(before)).toEqual(['All Nodes']);
  await before.stop();

  const after = await following('http://127.0.0.1:9', file);

  expect(namesIn(after)).toEqual(['All Nodes']);
});

test('it knows whether the primary stores check-ins', async () => {
  const client = await open();
  const route = hierarchyRoute(
    client.classifier,
    anyone,
    never,
    () => client.classifier.hierarchy.all().length > 1,
  );
  const follower = await following(await serving([route]));
  await expect.poll(() => namesIn(follower)).toEqual(['All Nodes']);
  expect(follower.storesCheckIns).toBe(false);

  await create(client, { name: 'Web' });

  await expect.poll(() => follower.storesCheckIns).toBe(true);
});

test('a primary without groups is known to have none, also after a restart', async () => {
  const file = newFile();
  const follower = await following(await serving([]), file);
  expect(follower.copy.kind).toBe('unknown');

  await expect.poll(() => follower.copy.kind).toBe('none');
  await follower.stop();

  expect((await following('http://127.0.0.1:9', file)).copy.kind).toBe('none');
});

/** Without TLS. */
class PlainClient extends HttpClient {
  override async send({ headers = {}, signal, url }: Parameters<HttpClient['send']>[0]) {
    const answer = await fetch(url, {
      headers: headers as Record<string, string>,
      ...(signal === undefined ? {} : { signal }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  }
}

const anyone = { kind: 'anyone' } as const;
const never = new AbortController().signal;

function newFile(): string {
  return join(directory, `groups-${(files += 1)}.json`);
}

async function serving(routes: readonly Route[]): Promise<string> {
  const server = createHttpServer({
    routes,
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await server.listen(0, '127.0.0.1');
  opened.push(() => server.drain(0));
  return `http://127.0.0.1:${port}`;
}

async function following(primaryUrl: string, file = newFile()): Promise<HierarchyFollower> {
  const client = new PlainClient({});
  const follower = new HierarchyFollower({ client, primaryUrl, file, log: silentLogger });
  opened.push(() => client.close());
  opened.push(() => follower.stop());
  await follower.restore();
  follower.start();
  return follower;
}

function namesIn({ copy }: HierarchyFollower): readonly string[] {
  return copy.kind === 'groups' ? copy.hierarchy.all().map(({ name }) => name) : [];
}
