import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { HttpResponse } from './route.ts';
import { sendResponse } from './send-response.ts';
import { type Transfer, TransferBudget } from './transfer-budget.ts';

const beginTransfer = (drop: () => void): Transfer => new TransferBudget().begin('client', drop);

const json = { 'content-type': 'application/json' };
const headers = { 'content-type': 'application/octet-stream', 'content-length': 3 };

test.each([
  ['bytes', () => Buffer.from('abc')],
  ['a stream', () => Readable.from([Buffer.from('abc')])],
])('says the length of %s once, in whatever letters the answer has it', async (_, body) => {
  const sent = await exchange({ status: 200, headers, body: body() });

  expect(sent.match(/^content-length: 3\r$/gim)).toHaveLength(1);
  expect(sent).toMatch(/\r\n\r\nabc$/);
});

test('sends each part of a stream of events at once, uncompressed', async () => {
  const body = Readable.from(['data: 1\n\n']);

  const sent = await exchange(
    { status: 200, headers: { 'content-type': 'text/event-stream' }, body },
    'gzip',
  );

  expect(sent).not.toMatch(/^content-encoding/im);
  expect(sent).toContain('data: 1\n\n');
});

test('hands long bodies to the connection in pieces, which it keeps as much memory for as the largest has', async () => {
  const body = Buffer.from('0123456789'.repeat(30_000));
  const writes: number[] = [];

  const sent = await exchange(
    { status: 200, headers: { 'content-type': 'text/plain' }, body },
    '',
    (reply) => {
      const write = reply.write.bind(reply);
      reply.write = (chunk: Buffer, ...rest: never[]) => {
        writes.push(chunk.length);
        return write(chunk, ...rest);
      };
    },
  );

  expect(sent.slice(sent.indexOf('\r\n\r\n') + 4)).toBe(body.toString());
  expect(sent).toMatch(/^content-length: 300000\r$/im);
  expect(writes).toEqual([65_536, 65_536, 65_536, 65_536, 37_856]);
});

test('rejects when the client leaves before it has all of a long body', async () => {
  const server = createServer((_, reply) => {
    const response = { status: 200, body: Buffer.alloc(64 * 2 ** 20) };
    const options = {
      method: 'GET',
      acceptEncoding: '',
      puppetVersion: undefined,
      closesConnection: false,
      beginTransfer,
    };
    server.emit('sending', sendResponse(reply, response, options));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [sending] = (await once(server, 'sending')) as [Promise<void>];
  socket.destroy();

  await expect(sending).rejects.toThrow('Premature close');
  server.close();
});

const part = (letter: string): Buffer => Buffer.from(new TextEncoder().encode(letter.repeat(100_000)).buffer);

test.each([
  ['plain', '', (sent: string) => sent.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')],
  ['compressed', 'gzip', (sent: string) => gunzipSync(dechunked(sent)).toString()],
])('gives the memory of each part of a disposable stream back: %s', async (_, acceptEncoding, read) => {
  const parts = ['a', 'b', 'c'].map(part);
  const body = Readable.from(parts);

  const sent = await exchange({ status: 200, headers: json, body, isBodyDisposable: true }, acceptEncoding);

  expect(read(sent)).toContain(`${'a'.repeat(100_000)}${'b'.repeat(100_000)}${'c'.repeat(100_000)}`);
  expect(parts.map(({ length }) => length)).toEqual([0, 0, 0]);
});

test.each(['', 'gzip'])(
  'a disposable stream ends when the client goes away in the middle: %s',
  async (acceptEncoding) => {
    const body = new Readable({
      read() {
        this.push(randomBytes(100_000));
      },
    });
    const options = {
      method: 'GET',
      acceptEncoding,
      puppetVersion: '8.10.0',
      closesConnection: true,
      beginTransfer,
    };
    const server = createServer((_, reply) => {
      void sendResponse(reply, { status: 200, headers: json, body, isBodyDisposable: true }, options).catch(
        () => undefined,
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.pause();

    socket.destroy();
    await finished(body).catch(() => undefined);

    expect(body.destroyed).toBe(true);
    server.close();
  },
);

/** The bytes of a chunked body. */
function dechunked(sent: string): Buffer {
  const bytes = Buffer.from(sent, 'latin1');
  const pieces: Buffer[] = [];
  for (let at = bytes.indexOf('\r\n\r\n') + 4; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}

/** What goes over the wire, byte by byte. */
async function exchange(
  response: HttpResponse,
  acceptEncoding = '',
  watch: (reply: ServerResponse) => void = () => undefined,
): Promise<string> {
  const options = {
    method: 'GET',
    acceptEncoding,
    puppetVersion: '8.10.0',
    closesConnection: true,
    beginTransfer,
  };
  const server = createServer((_, reply) => {
    watch(reply);
    void sendResponse(reply, response, options);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const answer = (await buffer(socket)).toString('latin1');
  server.close();
  return answer;
}
