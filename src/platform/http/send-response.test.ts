import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { HttpResponse } from './route.ts';
import { sendResponse } from './send-response.ts';

const headers = { 'content-type': 'application/octet-stream', 'content-length': 3 };

test.each([
  ['bytes', () => Buffer.from('abc')],
  ['a stream', () => Readable.from([Buffer.from('abc')])],
])('says the length of %s once, in whatever letters the answer has it', async (_, body) => {
  const sent = await exchange({ status: 200, headers, body: body() });

  expect(sent.match(/^content-length: 3\r$/gim)).toHaveLength(1);
  expect(sent).toMatch(/\r\n\r\nabc$/);
});

/** What goes over the wire. */
async function exchange(response: HttpResponse): Promise<string> {
  const options = { method: 'GET', acceptEncoding: '', puppetVersion: '8.10.0', closesConnection: true };
  const server = createServer((_, reply) => {
    void sendResponse(reply, response, options);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const answer = await text(socket);
  server.close();
  return answer;
}
