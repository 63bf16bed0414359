import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { createServer } from '../../lib/node-http.ts';
import { createHttpServer, route, TrustedProxies } from '../../platform/http/index.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { withPlainPort } from './plain-port.ts';

test('a proxy that is trusted says on the plain port who asks, and both ports close together', async () => {
  const authority = new OpensslAuthority('CA');
  const { certificate, privateKey } = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  const options = {
    routes: [
      route({
        method: 'GET',
        path: '/who',
        allow: { kind: 'anyone' },
        handle: ({ identity }) => ({
          status: 200,
          headers: {},
          body: identity.kind === 'certificate' ? identity.certname : identity.kind,
        }),
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: true },
    trustedProxies: new TrustedProxies(['127.0.0.1']),
    log: silentLogger,
  };
  const httpPort = await freePort();
  const agents = createHttpServer({
    ...options,
    tls: { certificate, privateKey, ca: authority.certificate },
  });
  const both = withPlainPort(agents, createHttpServer(options), { httpHost: '127.0.0.1', httpPort });
  const port = await both.listen(0, '127.0.0.1');
  const headers = { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=agent.example.net' };
  const client = new HttpClient({ ca: authority.certificate });

  const plain = await fetch(`http://127.0.0.1:${httpPort}/who`, { headers });
  const anonymous = await fetch(`http://127.0.0.1:${httpPort}/who`);
  const tls = await client.send({ method: 'GET', url: `https://localhost:${port}/who`, headers });

  expect([await plain.text(), await anonymous.text()]).toEqual(['agent.example.net', 'anonymous']);
  expect(tls.body.toString()).toBe('agent.example.net');
  client.close();
  await both.drain(100);
  await expect(fetch(`http://127.0.0.1:${httpPort}/who`)).rejects.toThrow();
  authority.remove();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
