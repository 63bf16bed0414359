import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHttpServer, type Identity, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { openPuppetDb, puppetDbRoutes } from '../../services/puppetdb/index.ts';
import { puppetDbAccess } from './puppetdb-access.ts';

const isCompileServer = (identity: Identity): boolean =>
  identity.kind === 'certificate' && identity.certname === 'compile1';

/** Asks a server that believes in the certificate that a header names. */
async function withPuppetDb(
  puppetDbAllowlist: readonly string[],
  use: (
    send: (certname: string, path: string, body?: unknown) => Promise<number>,
    url: string,
  ) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-puppetdb-access-'));
  writeFileSync(join(directory, 'allowed'), '# dashboards\nboard\n');
  const now = (): Date => new Date();
  const puppetDb = await openPuppetDb({
    location: { kind: 'sqlite', path: join(directory, 'database.sqlite') },
    workerUrl: new URL('../../services/puppetdb/threads/puppetdb-worker.ts', import.meta.url),
    log: silentLogger,
    now,
    newId: () => '00000000-0000-4000-8000-000000000000',
    queryThreads: 1,
    queryTimeoutMs: 60_000,
    lifetimes: {},
  });
  const names = puppetDbAllowlist.map((name) => name.replace('$directory', directory));
  const access = puppetDbAccess({ certname: 'primary', puppetDbAllowlist: names }, isCompileServer);
  const http = createHttpServer({
    routes: puppetDbRoutes({ puppetDb, ...access, now }),
    authorization: { rules: [], allowHeaderCertInfo: true },
    trustedProxies: new TrustedProxies(['127.0.0.1', '::1']),
    isInfrastructure: isCompileServer,
    log: silentLogger,
    // No test waits for bodies that do not arrive.
    limits: { bodyIdleTimeoutMs: 600_000 },
  });
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  try {
    await use(async (certname, path, body) => {
      const answer = await fetch(`${url}${path}`, {
        headers: {
          'Content-Type': 'application/json',
          ...identified(certname),
        },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
      return answer.status;
    }, url);
  } finally {
    await http.drain(0);
    await puppetDb.close();
    rmSync(directory, { recursive: true });
  }
}

const identified = (certname: string) => ({ 'X-Client-Verify': 'SUCCESS', 'X-Client-DN': `CN=${certname}` });
const payloadOf = (certname: string) => ({ certname, producer_timestamp: '2026-01-01T00:00:00Z' });
const deactivation = (certname: string) => ({
  command: 'deactivate node',
  version: 3,
  payload: payloadOf(certname),
});
const ask = '/pdb/query/v4/nodes';
const send = '/pdb/cmd/v1';
const sendNamed = (certname: string) => `${send}?command=deactivate_node&version=3&certname=${certname}`;
const administer = '/pdb/admin/v1/summary-stats';

test.each([
  ['primary', [], [200, 200, 200]],
  ['compile1', [], [200, 200, 403]],
  ['agent1', [], [403, 403, 403]],
  ['primary', ['board'], [200, 200, 200]],
  ['compile1', ['board'], [200, 200, 403]],
  ['agent1', ['board'], [403, 403, 403]],
  ['board', ['board'], [200, 200, 200]],
  ['board', ['$directory/allowed'], [200, 200, 200]],
] as const)('%s, with %j in the allow list', async (certname, allowed, statuses) => {
  await withPuppetDb(allowed, async (call) => {
    expect([
      await call(certname, ask),
      await call(certname, send, deactivation('other')),
      await call(certname, administer),
    ]).toEqual(statuses);
  });
});

test('a node sends commands of its own only, whatever the parameters say', async () => {
  await withPuppetDb([], async (call) => {
    expect(await call('agent1', send, deactivation('agent1'))).toBe(200);
    expect(await call('agent1', sendNamed('agent1'), payloadOf('agent1'))).toBe(200);
    expect(await call('agent1', sendNamed('agent1'), payloadOf('other'))).toBe(403);
    expect(await call('agent1', sendNamed('other'), payloadOf('agent1'))).toBe(403);

    const facts = { environment: 'production', producer: null, values: {}, ...payloadOf('other') };
    const factsPath = `${send}?command=replace_facts&version=5&certname=agent1`;
    expect(await call('agent1', factsPath, facts)).toBe(403);
    expect(await call('primary', `${ask}/other`)).toBe(404);
  });
});

test('commands that one node sends slowly do not hold up those of others', async () => {
  await withPuppetDb([], async (call, url) => {
    const slow = Array.from({ length: 20 }, () => {
      const headers = {
        ...identified('agent1'),
        'Content-Type': 'application/json',
        'Content-Length': '100',
      };
      const sending = request(`${url}${send}`, { method: 'POST', headers });
      sending.on('error', () => undefined);
      sending.write('{');
      return sending;
    });
    await Promise.all(slow.map((sending) => once(sending, 'socket')));
    // Whatever was sent before has arrived when this is answered.
    await call('primary', ask);

    expect(await call('agent2', send, deactivation('agent2'))).toBe(200);
    for (const sending of slow) sending.destroy();
  });
});
