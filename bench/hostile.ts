/**
 * How long hostile clients stop the main thread of the HTTP server, and how many of their connections it keeps.
 *
 * `npm run bench -- hostile [REQUESTS] [CONNECTIONS]`: so many pipelined requests in one connection (5000), then so many TCP
 * connections that never say anything and are half closed (500), then a report of 29 MB, read by the main thread as it was once
 * and by a thread, then large facts, then clients that are slow on purpose. The clients run in a process of their own.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer, defaultRules, type HttpServer, route } from '../src/platform/http/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { OpensslAuthority } from '../test/support/openssl-authority.ts';
import { measureLargeFacts } from './large-facts.ts';
import { reportServer, sendReport } from './large-report.ts';
import { measureSlowClients } from './slow-clients.ts';

interface Attack {
  readonly kind: 'pipeline' | 'silent' | 'report';
  readonly port: number;
  readonly count: number;
}

const body = '<answer>';
const handshakeTimeoutMs = 1000;
const reportMegabytes = 29;

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.once('message', (attack: Attack) => void run(attack));

export async function measureHostile(requests = 5000, connections = 500): Promise<void> {
  const [plain, secure] = [server(false), server(true)];
  const pipeline = { kind: 'pipeline', port: await plain.listen(0, '127.0.0.1'), count: requests } as const;
  console.log(`${requests} pipelined requests: ${await measure(pipeline)}`);
  const silent = { kind: 'silent', port: await secure.listen(0, '127.0.0.1'), count: connections } as const;
  console.log(`${connections} silent connections: ${await measure(silent)}`);
  await Promise.all([plain.drain(0), secure.drain(0)]);
  for (const isApart of [false, true]) {
    const { http, stop } = await reportServer(isApart);
    const report = {
      kind: 'report',
      port: await http.listen(0, '127.0.0.1'),
      count: reportMegabytes,
    } as const;
    const where = isApart ? 'a thread' : 'the main thread';
    console.log(`report of ${reportMegabytes} MB, read by ${where}: ${await measure(report)}`);
    await stop();
  }
  await measureLargeFacts();
  await measureSlowClients();
}

function server(isSecure: boolean): HttpServer {
  const authority = isSecure ? new OpensslAuthority('Puppet CA: bench') : undefined;
  const tls =
    authority === undefined ? {} : { tls: { ...authority.issue('localhost'), ca: authority.certificate } };
  authority?.remove();
  const handle = () => ({ status: 200, body });
  return createHttpServer({
    routes: [route({ method: 'GET', path: '/x', allow: { kind: 'anyone' }, handle })],
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    log: silentLogger,
    limits: { handshakeTimeoutMs },
    ...tls,
  });
}

async function measure(attack: Attack): Promise<string> {
  const attacker = fork(import.meta.filename);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  attacker.send(attack);
  const [left] = (await once(attacker, 'message')) as [number];
  delay.disable();
  attacker.kill();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  return `over after ${seconds} s, longest stall ${Math.round(delay.max / 1e6)} ms, ${left} left`;
}

async function run({ count, kind, port }: Attack): Promise<void> {
  if (kind === 'report') process.send?.((await sendReport(port, count)) === 200 ? 0 : 1);
  else process.send?.(kind === 'pipeline' ? await pipelined(port, count) : await silent(port, count));
}

/** @returns how many requests were not answered */
async function pipelined(port: number, count: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  const request = (headers: string) => `GET /x HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  let received = '';
  socket.on('data', (part: Buffer) => {
    received += part.toString();
  });
  socket.write(request('').repeat(count - 1) + request('Connection: close\r\n'));
  await once(socket, 'close');
  return count - received.split(body).length + 1;
}

/** @returns how many the server has not ended some seconds after the time for handshakes */
async function silent(port: number, count: number): Promise<number> {
  let open = count;
  for (let begun = 0; begun < count; begun++) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => socket.destroy());
    socket.once('end', () => {
      open -= 1;
    });
    socket.resume();
    // Every other one is half closed at once.
    if (begun % 2 === 0) socket.end();
  }
  const endMs = performance.now() + handshakeTimeoutMs * 5;
  while (open > 0 && performance.now() < endMs) await sleep(50);
  return open;
}
