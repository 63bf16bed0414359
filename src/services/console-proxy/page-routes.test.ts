import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../platform/http/index.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { consolePageRoutes } from './page-routes.ts';

let http: HttpServer;
let url: string;
const client = new HttpClient({});

beforeAll(async () => {
  http = createHttpServer({
    // Nothing listens on the first port of a machine.
    routes: consolePageRoutes({ client, urls: ['https://127.0.0.1:1'] }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});
afterAll(async () => {
  await http.drain(0);
  client.close();
});

const page = { accept: 'text/html,application/xhtml+xml' };

test('while the primary is away, the page says so and that agents go on', async () => {
  const answer = await fetch(`${url}/nodes?q=web`, { headers: page });

  expect(answer.status).toBe(503);
  expect(answer.headers.get('refresh')).toBe('10');
  expect(await answer.text()).toContain('Agents go on');
});

test.each([
  ['GET', '/pdb/query/v4/nodes', page],
  ['GET', '/console-api/v1/session', page],
  ['GET', '/nodes', { accept: 'application/json' }],
  ['POST', '/auth/login', page],
])('while the primary is away, %s %s is refused as APIs refuse', async (method, path, headers) => {
  const answer = await fetch(url + path, { method, headers });

  expect(answer.status).toBe(503);
  expect(JSON.stringify(await answer.json())).toContain('The primary is away');
});
