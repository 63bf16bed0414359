/**
 * What clients cost that are slow on purpose: the longest stall of the main thread, the slowest answer for somebody else, the
 * memory that the server holds at most, and how many of their connections it keeps.
 *
 * Part of `npm run bench -- hostile`. All clients come from one address. Those that attack and the one that is answered
 * meanwhile run in processes of their own. A stall is the processor time between two turns of a timer, so that other programs
 * on the machine do not count.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';
import { createHttpServer, defaultRules, route } from '../src/platform/http/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { OpensslAuthority, type TestCertificate } from '../test/support/openssl-authority.ts';

const attacks = {
  'idle TLS connections': { count: 3000, seconds: 20, head: '' },
  'connections that ask once and stay': {
    count: 3000,
    seconds: 20,
    head: 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n',
  },
  'handshakes at once, without a certificate': { count: 1000, seconds: 5, head: '' },
  'answers of 4 MB that are not read': {
    count: 200,
    seconds: 45,
    head: 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n',
  },
  'bodies that come a byte a second': {
    count: 500,
    seconds: 35,
    head: 'PUT /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n',
  },
  'bodies of 4 MB that lack their last byte': {
    count: 200,
    seconds: 45,
    head: 'PUT /body HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n',
    bodyBytes: 3_999_999,
  },
  'headers that come a byte a second': { count: 500, seconds: 35, head: 'GET /small HTTP/1.1\r\nHost: ' },
} as const satisfies Readonly<Record<string, Omit<Attack, 'port' | 'credentials'>>>;

interface Attack {
  readonly port: number;
  readonly count: number;
  readonly seconds: number;
  /** Sent at once; after that a byte a second. */
  readonly head: string;
  readonly bodyBytes?: number;
  readonly credentials: TestCertificate;
}

const largeBytes = 4_000_000;

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.once(
    'message',
    ({ attack, isAttacker }: { readonly attack: Attack; readonly isAttacker: boolean }) => {
      const result = isAttacker ? run(attack) : askMeanwhile(attack.port, attack.seconds);
      void result.then((figure) => process.send?.(figure));
    },
  );

export async function measureSlowClients(): Promise<void> {
  const authority = new OpensslAuthority('Puppet CA: bench');
  const certificate = authority.issue('localhost');
  const hostile = authority.issue('hostile.example');
  let lastTurn = Promise.resolve();
  // One answer at a time is made, as compiles hand them over.
  const makeTurn = () => (lastTurn = lastTurn.then(() => sleep(5)));
  for (const [name, attack] of Object.entries(attacks)) {
    const http = createHttpServer({
      routes: [
        route({
          method: 'GET',
          path: '/small',
          allow: { kind: 'anyone' },
          handle: () => ({ status: 200, body: 'x' }),
        }),
        route({
          method: 'GET',
          path: '/large',
          allow: { kind: 'anyone' },
          handle: async () => {
            await makeTurn();
            return { status: 200, body: Buffer.alloc(largeBytes, 1), isBodyDisposable: true };
          },
        }),
        route({
          method: 'PUT',
          path: '/body',
          allow: { kind: 'anyone' },
          maxBodyBytes: largeBytes,
          handle: async ({ body }) => ({ status: 200, body: `${(await body()).length}` }),
        }),
      ],
      authorization: { rules: defaultRules, allowHeaderCertInfo: false },
      tls: { ...certificate, ca: authority.certificate },
      log: silentLogger,
    });
    const port = await http.listen(0, '127.0.0.1');
    console.log(`${attack.count} ${name}: ${await measure({ ...attack, port, credentials: hostile })}`);
    await http.drain(0);
  }
  authority.remove();
}

async function measure(attack: Attack): Promise<string> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 100);
  const clients = [fork(import.meta.filename), fork(import.meta.filename)] as const;
  await Promise.all(clients.map((client) => once(client, 'spawn')));
  await sleep(500);
  const endStalls = watchStalls();
  const figures = clients.map(async (client, index) => {
    client.send({ attack, isAttacker: index === 0 });
    const [figure] = (await once(client, 'message')) as [number];
    return figure;
  });
  const [left = 0, slowestMs = 0] = await Promise.all(figures);
  const stallMs = endStalls();
  clearInterval(watch);
  for (const client of clients) client.kill();
  return [
    `longest stall ${Math.round(stallMs)} ms`,
    `slowest answer for another client ${Math.round(slowestMs)} ms`,
    `${Math.round((most - before) / 1e6)} MB more memory`,
    `${left} connections left after ${attack.seconds} s`,
  ].join(', ');
}

/** @returns to be called at the end: the longest time that the thread worked between two turns of a timer, in ms */
function watchStalls(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const used = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, used.user + used.system);
  }, 1);
  return () => {
    clearInterval(timer);
    return longest / 1000;
  };
}

/** @returns how many connections the server has not ended */
async function run({ bodyBytes = 0, count, credentials, head, port, seconds }: Attack): Promise<number> {
  const { certificate: cert, privateKey: key } = credentials;
  const secureContext = head === '' ? createSecureContext() : createSecureContext({ cert, key });
  const body = Buffer.alloc(bodyBytes, 'x');
  const open = new Set<TLSSocket>();
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port, host: '127.0.0.1', secureContext, rejectUnauthorized: false });
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
    if (head !== '') socket.write(Buffer.concat([Buffer.from(head), body]));
    if (!head.startsWith('GET /large')) socket.resume();
  }
  const isDripping = head.endsWith(' ') || head.startsWith('PUT');
  const drip = setInterval(() => {
    if (isDripping && bodyBytes === 0) for (const socket of open) socket.write('y');
  }, 1000);
  await sleep(seconds * 1000);
  clearInterval(drip);
  // Those that do not read notice the end only now.
  for (const socket of open) socket.resume();
  await sleep(2000);
  return open.size;
}

/** @returns how long the slowest of many small answers took */
async function askMeanwhile(port: number, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const endMs = performance.now() + seconds * 1000;
  let slowestMs = 0;
  await ask(port, agent);
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    await ask(port, agent);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    await sleep(20);
  }
  agent.destroy();
  return slowestMs;
}

function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/small', agent, rejectUnauthorized: false },
      (reply) => {
        reply.resume();
        reply.once('end', () => resolve());
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}
