import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import { createHttpServer, type HttpServer } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { installationRoute } from './installation-route.ts';

let http: HttpServer;
let url: string;

beforeAll(async () => {
  const target = { server: 'puppet.example.com', port: 8140, caCertificates: 'PEM' };
  http = createHttpServer({
    routes: checkedRoutes([installationRoute(async () => target)]),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (token, address) => ({
      kind: 'user',
      id: token,
      login: token,
      address,
      permits: ({ action, objectType }) => `${objectType}:${action}` === token,
    }),
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/console-api/v1/agent-installation`;
});
afterAll(async () => await http.drain(0));

async function ask(query: string, token = 'infrastructure:view') {
  const answer = await fetch(`${url}?${query}`, { headers: { 'x-authentication': token } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('the line names the pool, the digest of its authority, and the requested options', async () => {
  const { body } = await ask(
    'environment=test&alt_names=a.example.com, b.example.com&extensions=pp_role=web server,1.3.6.1=x',
  );

  expect(body).toMatchObject({ server: 'puppet.example.com', port: 8140 });
  expect(body['line']).toContain(`${String(body['ca_digest'])}  $ca`);
  expect(body['line']).toMatch(
    / main:environment=test main:dns_alt_names=a\.example\.com,b\.example\.com 'extension_requests:pp_role=web server' extension_requests:1\.3\.6\.1=x$/,
  );
  expect(body['unverified_line']).toMatch(/^curl -k https:\/\/puppet\.example\.com:8140\/packages/);
});

test.each(['environment=Test', 'alt_names=a b', 'extensions=pp_role', "extensions=pp'=x", 'environment=a;b'])(
  '%s is refused',
  async (query) => {
    expect((await ask(query)).status).toBe(400);
  },
);

test('the line is for those who accept requests or see servers', async () => {
  expect((await ask('', 'cert_requests:accept_reject')).status).toBe(200);
  expect((await ask('', 'nodes:view_data')).status).toBe(403);
});
