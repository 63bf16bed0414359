import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServer } from '../../lib/node-http.ts';
import { webGetText } from './web-client.ts';

let server: Server;
let origin: string;

beforeEach(async () => {
  server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

const get = (path: string) =>
  webGetText({ url: `${origin}${path}`, proxies: {}, signal: new AbortController().signal }, 100);

test('a redirect is followed, however long what comes with it is', async () => {
  const closed = new Promise((resolve) => {
    server.on('request', ({ url }, reply) => {
      if (url === '/there') return void reply.end('found');
      reply.writeHead(302, { location: '/there' });
      // It never ends.
      reply.write('x');
      reply.once('close', resolve);
    });
  });

  expect(await get('/here')).toEqual({ status: 200, text: 'found' });
  await closed;
});

test('a redirect to an invalid URL is a bad gateway', async () => {
  server.on('request', (_message, reply) => reply.writeHead(302, { location: 'http://' }).end());

  await expect(get('/here')).rejects.toMatchObject({ reason: 'bad-gateway' });
});

test('too long an answer is refused', async () => {
  server.on('request', (_message, reply) => reply.end('x'.repeat(101)));

  await expect(get('/here')).rejects.toMatchObject({ reason: 'too-large' });
});
