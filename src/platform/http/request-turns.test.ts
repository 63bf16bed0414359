import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { RequestTurns } from './request-turns.ts';

/** On a busy machine thousands of requests take more than the second that is usual. */
const patiently = { timeout: 20_000 };
const end: (() => void)[] = [];
afterEach(() => {
  for (const each of end.splice(0)) each();
});

/** @param onBegin - called with each request whose turn it is */
async function serve(onBegin: (reply: ServerResponse, index: number) => void = () => undefined) {
  const turns = new RequestTurns();
  const begun: ServerResponse[] = [];
  const seen = { requests: 0, bodies: '' };
  const server = createServer((message: IncomingMessage, reply: ServerResponse) => {
    seen.requests += 1;
    turns.take(message.socket, () => {
      begun.push(reply);
      onBegin(reply, begun.length - 1);
      message.on('data', (part: Buffer) => {
        seen.bodies += part.toString();
      });
      reply.once('close', () => turns.next(message.socket));
    });
  });
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    accepted.push(socket);
    turns.watch(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  end.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  let received = '';
  client.on('data', (part: Buffer) => {
    received += part.toString();
  });
  return { accepted, begun, client, seen, received: () => received };
}

const request = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

test('of thousands of requests in one connection, few are parsed before the first has been answered', async () => {
  const { accepted, begun, client, seen } = await serve();

  client.write(request.repeat(2000));
  await vi.waitFor(() => expect(accepted[0]?.isPaused()).toBe(true), patiently);

  expect(begun).toHaveLength(1);
  expect(seen.requests).toBeLessThan(400);
});

test('all of them are answered, in their order', async () => {
  const { client, received } = await serve((reply, index) => void reply.end(`answer ${index};`));

  client.write(request.repeat(2000));

  await vi.waitFor(() => expect(received()).toContain('answer 1999;'), patiently);
  expect(Array.from(received().matchAll(/answer (\d+);/g), ([, number]) => Number(number))).toEqual(
    Array.from({ length: 2000 }, (_, index) => index),
  );
});

test('bodies come whole, also behind other requests and in one piece with them', async () => {
  const { begun, client, seen, received } = await serve();
  const body = 'x'.repeat(200_000);

  client.write(
    `${request}PUT /y HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${request}`,
  );
  await vi.waitFor(() => expect(begun).toHaveLength(1), patiently);
  begun[0]?.end('first');
  await vi.waitFor(() => expect(seen.bodies.length).toBe(body.length), patiently);
  begun[1]?.end('second');
  await vi.waitFor(() => expect(begun).toHaveLength(3), patiently);
  begun[2]?.end('third');

  await vi.waitFor(() => expect(received()).toMatch(/first[^]*second[^]*third/), patiently);
});

test('what many connections bring at once is taken in portions; small requests do not wait', async () => {
  const turns = new RequestTurns();
  let parsed = 0;
  const open = () => {
    const socket = Object.assign(new EventEmitter(), { isReading: true, destroyed: false });
    const methods = {
      pause: () => void (socket.isReading = false),
      resume: () => void (socket.isReading = true),
    };
    socket.on('data', (bytes: Buffer) => {
      parsed += bytes.length;
    });
    turns.watch(Object.assign(socket, methods) as never);
    return socket;
  };
  const sockets = Array.from({ length: 100 }, open);
  const reading = () => sockets.filter(({ isReading }) => isReading).length;

  for (const socket of sockets) socket.emit('data', Buffer.alloc(64 * 1024));
  const first = { parsed, reading: reading() };
  open().emit('data', Buffer.alloc(100));
  const second = parsed;
  await vi.waitFor(() => expect(parsed).toBe(100 * 64 * 1024 + 100), patiently);

  expect(first).toEqual({ parsed: 1024 * 1024, reading: 16 });
  expect(second).toBe(1024 * 1024 + 100);
  expect(reading()).toBe(100);
});
