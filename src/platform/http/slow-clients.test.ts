import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../log/index.ts';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  route,
  TransferBudget,
  TrustedProxies,
} from './index.ts';

const largeBytes = 20_000_000;
const servers: HttpServer[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.drain(0)));
});

async function start(options: Partial<HttpServerOptions>): Promise<number> {
  const server = createHttpServer({
    routes: [
      route({
        method: 'GET',
        path: '/large',
        allow: { kind: 'anyone' },
        handle: () => ({ status: 200, body: Buffer.alloc(largeBytes) }),
      }),
      route({
        method: 'PUT',
        path: '/body',
        allow: { kind: 'anyone' },
        maxBodyBytes: largeBytes,
        handle: async ({ body }) => ({ status: 200, body: `${(await body()).length}` }),
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
    ...options,
  });
  servers.push(server);
  return server.listen(0, '127.0.0.1');
}

async function send(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** All that comes until the server ends the connection. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1');
  });
  socket.resume();
  await once(socket, 'close');
  return text;
}

const askLarge = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';
const announce = 'PUT /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';

test('an answer that the client does not read is given up', async () => {
  const transfers = new TransferBudget();
  const port = await start({ transfers, limits: { answerIdleTimeoutMs: 100 } });

  const socket = await send(port, askLarge);
  socket.pause();
  await vi.waitFor(() => expect(transfers.used).toBe(largeBytes));
  await vi.waitFor(() => expect(transfers.used).toBe(0));

  expect((await received(socket)).length).toBeLessThan(largeBytes);
});

test('of answers that a client does not read, the oldest are given up when they are too many', async () => {
  const transfers = new TransferBudget(4 * largeBytes);
  const port = await start({ transfers });
  const unread: Socket[] = [];

  for (let index = 0; index < 6; index += 1) {
    unread.push(await send(port, askLarge));
    const held = Math.min(index + 1, 2) * largeBytes;
    await vi.waitFor(() => expect(transfers.used).toBe(held));
  }

  const lengths = await Promise.all(
    unread.slice(0, 4).map(async (socket) => (await received(socket)).length),
  );
  expect(lengths.every((length) => length < largeBytes)).toBe(true);
});

test('a body that comes a byte at a time is refused, though something comes always', async () => {
  const port = await start({ limits: { bodyIdleTimeoutMs: 200 } });
  const socket = await send(port, announce);
  const drip = setInterval(() => socket.write('x'), 20);

  const answer = await received(socket);

  clearInterval(drip);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*only \d+ bytes came in 0\.2 seconds/);
});

test('a body that comes steadily is refused when it takes longer than all requests may', async () => {
  const port = await start({ limits: { requestTimeoutMs: 200, headersTimeoutMs: 200 } });
  const socket = await send(port, announce);

  expect(await received(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
});

test('of bodies that a client does not end, the oldest are refused when they are too many', async () => {
  const transfers = new TransferBudget(1_000_000);
  const port = await start({ transfers });
  const part = 'x'.repeat(600_000);

  const first = await send(port, announce + part);
  await vi.waitFor(() => expect(transfers.used).toBe(part.length));
  await send(port, announce + part);

  expect(await received(first)).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n[^]*Retry-After: 5/i);
});

test('connections of one address make room for each other; those of a trusted proxy do not', async () => {
  const connectionLimits = { maxPerAddress: 2 };
  const port = await start({ connectionLimits });
  const trustedProxies = new TrustedProxies(['127.0.0.1']);
  const behindProxy = await start({ connectionLimits, trustedProxies });

  const proxied: Socket[] = [];
  for (let index = 0; index < 3; index += 1) proxied.push(await send(behindProxy, ''));
  const first = await send(port, '');
  for (let index = 0; index < 2; index += 1) await send(port, '');

  expect(await received(first)).toBe('');
  expect(proxied.every((socket) => !socket.destroyed)).toBe(true);
});
