import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createServer } from '../../lib/node-http.ts';
import { connectionsFor, renderHaproxyConfig } from './haproxy-config.ts';

const haproxy = spawnSync('haproxy', ['-v']).status === 0;

test.skipIf(!haproxy)('the real HAProxy accepts what is rendered (needs the Debian package haproxy)', () => {
  const config = renderHaproxyConfig({
    servers: [
      { host: '127.0.0.1', port: 8140 },
      { host: '[::1]', port: 8140 },
    ],
    bind: '127.0.0.1:18140',
    pcp: { bind: '127.0.0.1:18142', port: 8142 },
    stats: '127.0.0.1:18404',
  });
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, config);

  const check = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });

  rmSync(directory, { recursive: true });

  expect(check.stderr).not.toMatch(/WARNING|ALERT/);
  expect(check.status).toBe(0);
});

test.skipIf(!haproxy)('a healthy server whose broker is missing or cut off gets no pxp-agents', async () => {
  const broken = new Set<string>();
  const health = createServer(({ url = '' }, reply) => {
    reply.statusCode = broken.has(url) ? 503 : 200;
    reply.end();
  });
  const broker = createTcpServer((socket) => socket.destroy());
  const [healthPort, port] = [await listening(health), await listening(broker)];
  await closed(broker);
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const [file, path] = [join(directory, 'haproxy.cfg'), join(directory, 'socket')];
  const config = renderHaproxyConfig({
    servers: [{ host: '127.0.0.1', port: healthPort }],
    bind: `unix@${join(directory, 'agents')}`,
    pcp: { bind: `unix@${join(directory, 'brokers')}`, port },
    healthPort,
    socket: path,
    maxConnections: 100,
  });
  writeFileSync(file, config);
  const balancer = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' });
  const stateOf = async (proxy: string) => {
    const socket = connect(path);
    socket.write('show stat\n');
    const lines = await text(socket).catch(() => '');
    const line = lines.split('\n').find((each) => each.startsWith(`${proxy},compile1,`));
    return line?.split(',')[17]?.split(' ')[0];
  };

  try {
    await expect.poll(() => stateOf('pcp-broker'), { timeout: 10_000 }).toBe('DOWN');
    expect(await stateOf('puppet')).toBe('UP');
    await once(broker.listen(port, '127.0.0.1'), 'listening');
    await expect.poll(() => stateOf('pcp-broker'), { timeout: 10_000 }).toBe('UP');
    broken.add('/status/v1/simple/broker-service');
    await expect.poll(() => stateOf('pcp-broker'), { timeout: 10_000 }).toBe('DOWN');
    expect(await stateOf('puppet')).toBe('UP');
  } finally {
    balancer.kill();
    if (balancer.exitCode === null) await once(balancer, 'exit');
    await Promise.all([closed(health), closed(broker)]);
    rmSync(directory, { recursive: true });
  }
});

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}

test('no more connections are allowed than there are file descriptors for', () => {
  expect([1024, 20_000, 524_288, Number.POSITIVE_INFINITY].map(connectionsFor)).toEqual([
    362, 9850, 20_000, 20_000,
  ]);
});
