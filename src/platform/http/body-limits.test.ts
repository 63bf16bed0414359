import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../log/index.ts';
import { createHttpServer, type HttpServer, type Route, route } from './index.ts';

let server: HttpServer;
let url = '';

const lengthOf: Route['handle'] = async ({ body }) => ({ status: 200, body: String((await body()).length) });
const anyone = { kind: 'anyone' } as const;

beforeAll(async () => {
  server = createHttpServer({
    routes: [
      route({ method: 'POST', path: '/login', allow: anyone, handle: lengthOf }),
      route({ method: 'POST', path: '/own-limit', allow: anyone, maxBodyBytes: 100_000, handle: lengthOf }),
      route({
        method: 'POST',
        path: '/coded',
        allow: anyone,
        takesCodedFromAnonymous: true,
        handle: lengthOf,
      }),
      route({
        method: 'POST',
        path: '/for-users',
        allow: { kind: 'any-of', of: [{ kind: 'permission' }, anyone] },
        handle: lengthOf,
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
    authenticate: async (_token, address) => ({
      kind: 'user',
      id: '1',
      login: 'ann',
      permits: () => true,
      address,
    }),
  });
  url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
});

afterAll(() => server.drain(0));

const large = 'x'.repeat(70_000);
const coded = { 'Content-Encoding': 'gzip' };
const token = { 'X-Authentication': 'token' };

test.each([
  ['/login', 'x', {}, 200],
  ['/login', large, {}, 413],
  ['/login', gzipSync('x'), coded, 415],
  ['/own-limit', large, {}, 200],
  ['/own-limit', gzipSync('x'), coded, 415],
  ['/coded', gzipSync('x'), coded, 200],
  ['/coded', gzipSync(large), coded, 413],
  ['/for-users', large, {}, 413],
  ['/for-users', large, token, 200],
  ['/for-users', gzipSync(large), { ...coded, ...token }, 200],
])('POST %s', async (path, body, headers, status) => {
  const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers });
  await answer.arrayBuffer();

  expect(answer.status).toBe(status);
});
