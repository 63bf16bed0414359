import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBody } from './request-body.ts';

const limits = { maxBodyBytes: 1_000_000, bodyIdleTimeoutMs: 300_000, isCodingAllowed: true };
const large = randomBytes(700_001);
const small = Buffer.from('small');
/** Sent in chunks of HTTP, its length unknown before. */
const inChunks = (bytes: Buffer): ReadableStream => new Blob([new Uint8Array(bytes)]).stream();

test.each([
  ['large', large, large, {}],
  ['small', small, small, {}],
  ['large, of unknown length', inChunks(large), large, {}],
  ['small, of unknown length', inChunks(small), small, {}],
  ['none', undefined, Buffer.alloc(0), {}],
  ['compressed', gzipSync(large), large, { 'content-encoding': 'gzip' }],
])('a body arrives whole: %s', async (_, body, expected, headers) => {
  expect(await received(body, headers)).toEqual({ bytes: expected });
});

test.each([
  ['said before', Buffer.alloc(1_000_001)],
  ['found out', inChunks(Buffer.alloc(1_000_001))],
])('what is too large is refused: %s', async (_, body) => {
  expect(await received(body, {})).toEqual({ reason: 'too-large' });
});

test.each(['gzip', 'deflate', 'br'])(
  'a compressed body is refused unread where none may come: %s',
  async (coding) => {
    const sent = received(
      gzipSync(small),
      { 'content-encoding': coding },
      { ...limits, isCodingAllowed: false },
    );

    expect(await sent).toEqual({ reason: 'unsupported-media-type' });
  },
);

async function received(
  body: Buffer | ReadableStream | undefined,
  headers: Readonly<Record<string, string>>,
  bodyLimits = limits,
): Promise<{ readonly bytes: Buffer } | { readonly reason: string }> {
  const read = Promise.withResolvers<{ readonly bytes: Buffer } | { readonly reason: string }>();
  const server = createServer((message, reply) => {
    readBody(message, bodyLimits)
      .then(
        (bytes) => read.resolve({ bytes }),
        (error) => read.resolve({ reason: error.reason }),
      )
      .finally(() => reply.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A server that refuses may answer before all is sent.
  const sent = fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  await sent.catch(() => undefined);
  server.closeAllConnections();
  server.close();
  return await read.promise;
}
