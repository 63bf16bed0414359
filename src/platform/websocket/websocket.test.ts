import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../test/support/openssl-authority.ts';
import { dialWebSocket, refuseUpgrade, type WebSocketConnection, webSocketAcceptor } from './index.ts';

let authority: OpensslAuthority;
let certificate: TestCertificate;
const servers: Server[] = [];

beforeAll(() => {
  authority = new OpensslAuthority('CA');
  certificate = authority.issue('localhost', ['subjectAltName=DNS:localhost,DNS:broker.test']);
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

afterAll(() => authority.remove());

interface Seen {
  readonly messages: (string | Buffer)[];
  readonly closed: [number, string][];
  connection?: WebSocketConnection;
  names?: readonly string[];
}

function witness(): Seen & {
  readonly open: (connection: WebSocketConnection, names?: readonly string[]) => never;
} {
  const seen: Seen = { messages: [], closed: [] };
  const open = (connection: WebSocketConnection, names?: readonly string[]) => {
    Object.assign(seen, { connection, names });
    return {
      message: (data: string | Buffer) => void seen.messages.push(data),
      closed: (code: number, reason: string) => void seen.closed.push([code, reason]),
    };
  };
  return Object.assign(seen, { open: open as never });
}

async function listen(accept: (...args: [never, Socket, Buffer]) => void): Promise<number> {
  const server = createServer({ cert: certificate.certificate, key: certificate.privateKey });
  servers.push(server);
  server.on('upgrade', accept as never);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function dial(port: number, seen: ReturnType<typeof witness>, options = {}): Promise<WebSocketConnection> {
  return dialWebSocket(
    {
      url: `wss://localhost:${port}/server`,
      ca: authority.certificate,
      certificate: certificate.certificate,
      privateKey: certificate.privateKey,
      maxMessageBytes: 1000,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      ...options,
    },
    seen.open,
  );
}

async function pair(maxMessageBytes = 1000) {
  const there = witness();
  const here = witness();
  const accept = webSocketAcceptor({ maxMessageBytes });
  const port = await listen((message, socket, head) => accept(message, socket, head, there.open));
  const connection = await dial(port, here);
  await expect.poll(() => there.connection).toBeDefined();
  return { here, there, connection, accepted: there.connection as WebSocketConnection };
}

describe('a WebSocket', () => {
  test('carries text and bytes both ways, and knows the names of the server', async () => {
    const { accepted, connection, here, there } = await pair();

    connection.send('one');
    accepted.send(Buffer.from([1, 2]));

    await expect.poll(() => there.messages).toEqual(['one']);
    await expect.poll(() => here.messages).toEqual([Buffer.from([1, 2])]);
    expect(here.names).toEqual(['localhost', 'broker.test']);
    connection.cut();
  });

  test('closes with the code and text that the other end gets', async () => {
    const { accepted, here, there } = await pair();

    accepted.close(4003, 'No client certificate.');

    await expect.poll(() => here.closed).toEqual([[4003, 'No client certificate.']]);
    await expect.poll(() => there.closed).toEqual([[4003, 'No client certificate.']]);
  });

  test('that is cut shows no close frame', async () => {
    const { accepted, connection, here } = await pair();

    accepted.cut();
    accepted.send('late');

    await expect.poll(() => here.closed).toEqual([[1006, '']]);
    expect(here.messages).toEqual([]);
    connection.cut();
  });

  test('ends when a message is larger than the limit', async () => {
    const { connection, here, there } = await pair(10);

    connection.send('x'.repeat(11));

    await expect.poll(() => there.closed).toHaveLength(1);
    await expect.poll(() => here.closed.map(([code]) => code)).toEqual([1009]);
    expect(there.messages).toEqual([]);
  });

  test('counts what arrives, pings too', async () => {
    const { accepted, connection } = await pair();
    const before = accepted.receivedBytes;

    connection.ping();

    await expect.poll(() => accepted.receivedBytes).toBeGreaterThan(before);
    connection.cut();
  });
});

describe('a request for a WebSocket', () => {
  test('that is refused tells the client the status', async () => {
    const port = await listen((_message, socket) => refuseUpgrade(socket, 503, 'Broker is not running.'));
    const seen = witness();

    await expect(dial(port, seen)).rejects.toThrow('Unexpected server response: 503');

    expect(seen.connection).toBeUndefined();
  });

  test('to a server of another authority fails', async () => {
    const port = await listen(() => {
      throw new Error('no request expected');
    });
    const stranger = new OpensslAuthority('Other');

    await expect(dial(port, witness(), { ca: stranger.certificate })).rejects.toThrow('certificate');

    stranger.remove();
  });

  test('fails when the server does not answer, or when it is aborted', async () => {
    const held: Socket[] = [];
    const port = await listen((_message, socket) => void held.push(socket));
    const stop = new AbortController();
    const aborted = dial(port, witness(), { signal: stop.signal });
    await expect.poll(() => held.length).toBe(1);
    stop.abort();

    await expect(aborted).rejects.toThrow('closed before the connection');
    await expect(dial(port, witness(), { timeoutMs: 50 })).rejects.toThrow('timed out');

    for (const socket of held) socket.destroy();
  });
});
