import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type BodyLimits, readBody } from './request-body.ts';
import { TransferBudget } from './transfer-budget.ts';

const limits: BodyLimits = {
  maxBodyBytes: 1_000_000,
  bodyIdleTimeoutMs: 300_000,
  requestTimeoutMs: 300_000,
  isCodingAllowed: true,
  memory: { hold: async () => {} },
  beginTransfer: (drop) => new TransferBudget().begin('client', drop),
};
const large = randomBytes(700_001);
const small = Buffer.from('small');
const same = Buffer.alloc(900_000);
const gzipBomb = Buffer.concat([gzipSync(Buffer.alloc(1_000_000)), gzipSync(small)]);
const inTwoParts = Buffer.concat([gzipSync(same), gzipSync(small)]);
/** Sent in chunks of HTTP, its length unknown before. */
const inChunks = (bytes: Buffer): ReadableStream => new Blob([new Uint8Array(bytes)]).stream();

test.each([
  ['large', large, large, {}],
  ['small', small, small, {}],
  ['large, of unknown length', inChunks(large), large, {}],
  ['small, of unknown length', inChunks(small), small, {}],
  ['none', undefined, Buffer.alloc(0), {}],
  ['compressed', gzipSync(large), large, { 'content-encoding': 'gzip' }],
  ['deflated', deflateSync(large), large, { 'content-encoding': 'deflate' }],
  ['deflated raw, well', deflateRawSync(same), same, { 'content-encoding': 'deflate' }],
  ['in two parts of gzip', inTwoParts, Buffer.concat([same, small]), { 'content-encoding': 'gzip' }],
])('a body arrives whole: %s', async (_, body, expected, headers) => {
  expect(await received(body, headers)).toEqual({ bytes: expected });
});

test.each([
  ['said before', Buffer.alloc(1_000_001)],
  ['found out', inChunks(Buffer.alloc(1_000_001))],
  ['compressed', gzipSync(Buffer.alloc(1_000_001)), { 'content-encoding': 'gzip' }],
  ['compressed in two parts', gzipBomb, { 'content-encoding': 'gzip' }],
] as const)(
  'what is too large is refused: %s',
  async (_, body, headers: Readonly<Record<string, string>> = {}) => {
    expect(await received(body, headers)).toEqual({ reason: 'too-large' });
  },
);

test('memory is held for what a body becomes', async () => {
  const held: number[] = [];
  const memory = {
    hold: async (bytes: number): Promise<void> => {
      held.push(bytes);
    },
  };
  const headers = { 'content-encoding': 'gzip' };

  await received(gzipSync(large), headers, { ...limits, memory });
  await received(inTwoParts, headers, { ...limits, memory });
  await received(large, {}, { ...limits, memory });

  expect(held).toEqual([large.length, small.length, limits.maxBodyBytes]);
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
