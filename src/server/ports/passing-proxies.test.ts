/** A real HAProxy passes connections on, and says from where they are. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../test/support/openssl-authority.ts';
import { createHttpServer, type HttpServer, route, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';

let authority: OpensslAuthority;
let agent: TestCertificate;
let server: HttpServer;
let behind: number;
let directory: string;

beforeAll(async () => {
  authority = new OpensslAuthority('CA');
  agent = authority.issue('agent.example.net');
  directory = mkdtempSync(join(tmpdir(), 'bunraku-passing-'));
  server = createHttpServer({
    routes: [
      route({
        method: 'GET',
        path: '/who',
        allow: { kind: 'anyone' },
        handle: ({ identity }) => ({
          status: 200,
          body: `${identity.address} ${identity.kind === 'certificate' ? identity.certname : identity.kind}`,
        }),
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: true },
    tls: { ...authority.issue('localhost'), ca: authority.certificate, crl: authority.crl() },
    trustedProxies: new TrustedProxies(['127.0.0.1']),
    log: silentLogger,
  });
  behind = await server.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await server.drain(0);
  authority.remove();
  rmSync(directory, { recursive: true });
});

const configuration = (port: number, header: string) => `global
  maxconn 100
defaults
  mode tcp
  timeout connect 5s
  timeout client 5s
  timeout server 5s
listen puppet
  bind 127.0.0.1:${port}
  option httpchk GET /who
  server bunraku 127.0.0.1:${behind} ${header} check check-ssl verify none inter 50ms
`;

/** From an address that is not the proxy's. */
async function ask(port: number, headers = {}): Promise<string> {
  const asking = request({
    host: '127.0.0.1',
    port,
    localAddress: '127.0.0.2',
    servername: 'localhost',
    path: '/who',
    ca: authority.certificate,
    cert: agent.certificate,
    key: agent.privateKey,
    agent: false,
    headers,
  });
  asking.end();
  const [answer] = await once(asking, 'response');
  return text(answer);
}

const isThere = spawnSync('haproxy', ['-v']).status === 0;

test.skipIf(!isThere).each([
  ['send-proxy', '127.0.0.2 agent.example.net'],
  ['send-proxy-v2', '127.0.0.2 agent.example.net'],
  ['send-proxy-v2-ssl-cn', '127.0.0.2 agent.example.net'],
  // Whom the headers of a trusted proxy do not name has no name.
  ['', '127.0.0.1 anonymous'],
])('HAProxy with "%s" shows %s (needs the Debian package haproxy)', async (header, expected) => {
  const port = await freePort();
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, configuration(port, header));
  const proxy = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' });

  try {
    await expect.poll(() => ask(port).catch(() => ''), { timeout: 10_000 }).toBe(expected);
    const forged = { 'X-Client-Verify': 'SUCCESS', 'X-Client-DN': 'CN=victim.example.net' };
    if (header !== '') expect(await ask(port, forged)).toBe(expected);
  } finally {
    proxy.kill();
    await once(proxy, 'exit');
  }
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
