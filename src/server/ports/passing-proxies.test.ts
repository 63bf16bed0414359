/** Real proxies pass TLS on, and say where connections come from. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haproxy, isPresent, nginx, nginxStream } from '../../../scripts/debian-packages.ts';
import { OpensslAuthority, type TestCertificate } from '../../../test/support/openssl-authority.ts';
import { whoRoute } from '../../../test/support/who-route.ts';
import { createHttpServer, type HttpServer, route, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { HaproxyFollower, HaproxySocket, renderHaproxyConfig } from '../../services/load-balancer/index.ts';

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
      whoRoute,
      route({
        method: 'GET',
        path: '/status/v1/simple',
        allow: { kind: 'anyone' },
        handle: () => ({ status: 200, body: 'running' }),
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
  timeout check 5s
listen puppet
  bind 127.0.0.1:${port}
  option httpchk GET /who
  server bunraku 127.0.0.1:${behind} ${header} check check-ssl verify none inter 50ms fall 100
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

/** Runs a proxy until `work` is done. */
async function beside(program: string, args: readonly string[], work: () => Promise<void>): Promise<void> {
  const proxy = spawn(program, args, { stdio: 'ignore' });
  try {
    await work();
  } finally {
    proxy.kill();
    if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit');
  }
}

/** Waits until a request is let through: a proxy starts, and takes a server out whose health checks come late. */
async function expectIdentity(port: number, expected: string, headers = {}): Promise<void> {
  let answer = '';
  const isAnswered = async () => {
    answer = await ask(port, headers).catch(() => '');
    return answer !== '';
  };
  await expect.poll(isAnswered).toBe(true);
  expect(answer).toBe(expected);
}

const forged = { 'X-Client-Verify': 'SUCCESS', 'X-Client-DN': 'CN=victim.example.net' };
const behindProxyHeader = '127.0.0.2 agent.example.net';
/** A connection of a trusted proxy without a PROXY header: the HTTP headers name the client. */
const behindNothing = '127.0.0.1 anonymous';

describe.skipIf(!isPresent(haproxy))('HAProxy (needs the Debian package haproxy)', () => {
  test.each([
    ['send-proxy', behindProxyHeader],
    ['send-proxy-v2', behindProxyHeader],
    ['send-proxy-v2-ssl-cn', behindProxyHeader],
    ['', behindNothing],
  ])('with "%s" shows %s', async (header, expected) => {
    const port = await freePort();
    const file = join(directory, 'haproxy.cfg');
    writeFileSync(file, configuration(port, header));

    await beside('haproxy', ['-db', '-q', '-f', file], async () => {
      await expectIdentity(port, expected);
      if (header !== '') await expectIdentity(port, expected, forged);
    });
  });

  test.each([
    [true, behindProxyHeader],
    [false, behindNothing],
  ])('with our configuration and sendProxy %s shows %s', async (sendProxy, expected) => {
    const port = await freePort();
    const file = join(directory, 'haproxy.cfg');
    const bind = `127.0.0.1:${port}`;
    const servers = [{ host: '127.0.0.1', port: behind }];
    writeFileSync(file, renderHaproxyConfig({ bind, servers, sendProxy, maxConnections: 100 }));

    await beside('haproxy', ['-db', '-q', '-f', file], () => expectIdentity(port, expected));
  });

  test.each([
    [true, behindProxyHeader],
    [false, behindNothing],
  ])('that is followed with sendProxy %s shows %s', async (sendProxy, expected) => {
    const port = await freePort();
    const file = join(directory, 'haproxy.cfg');
    const path = join(directory, 'socket');
    writeFileSync(
      file,
      renderHaproxyConfig({ bind: `127.0.0.1:${port}`, servers: [], socket: path, maxConnections: 100 }),
    );
    const socket = new HaproxySocket(path);
    const follower = new HaproxyFollower({ socket, sendProxy, log: silentLogger });
    const server = { certname: 'compile1', host: '127.0.0.1', port: behind, isLeaving: false };

    await beside('haproxy', ['-db', '-q', '-f', file], async () => {
      const apply = async () => follower.apply([server]).catch(() => false);
      await expect.poll(apply).toBe(true);
      await expectIdentity(port, expected);
    });
  });
});

const nginxConfiguration = (port: number, header: string) => `daemon off;
master_process off;
load_module ${nginxStream.provides};
pid ${directory}/nginx.pid;
error_log ${directory}/nginx.log;
events {}
stream {
  server {
    listen 127.0.0.1:${port};
    proxy_pass 127.0.0.1:${behind};
    ${header}
  }
}
`;

const hasStream = isPresent(nginx) && isPresent(nginxStream);
test.skipIf(!hasStream).each([
  ['proxy_protocol on;', behindProxyHeader],
  ['', behindNothing],
])('nginx as a TCP proxy with "%s" shows %s (needs libnginx-mod-stream)', async (header, expected) => {
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, nginxConfiguration(port, header));

  await beside('nginx', ['-c', file], async () => {
    await expectIdentity(port, expected);
    if (header !== '') await expectIdentity(port, expected, forged);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
