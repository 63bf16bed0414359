import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CaServer, startCaServer } from '../../../test/ca/ca-server.ts';
import { createHttpServer, defaultRules, type HttpServer } from '../../platform/http/index.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodeCertificates,
  encodeCertificate,
  encodeCertificateRequest,
  encodePrivateKey,
  encodePublicKeyInfo,
  type KeyPair,
} from '../../platform/x509/index.ts';
import { caProxyRoutes } from './index.ts';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly clientPort: number | undefined;
}

let primary: CaServer;
let upstream: HttpClient;
let proxy: HttpServer;
let proxyUrl: string;
let base: string;
let keys: KeyPair;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-proxy-'));
  keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  primary = await startCaServer(
    { allowAutoRenewal: true },
    {
      isInfrastructure: (identity) =>
        identity.kind === 'certificate' && identity.extensions['pp_auth_role'] === 'pe_compiler',
    },
  );
  const own = await certify('localhost', { pp_auth_role: 'pe_compiler' });
  const { bundle: ca, crl } = primary.ca;
  const [caFile, crlFile] = [join(base, 'ca.pem'), join(base, 'crl.pem')];
  await writeFile(caFile, ca);
  await writeFile(crlFile, crl.pem);
  upstream = new HttpClient({ ca, ...own });
  proxy = createHttpServer({
    routes: caProxyRoutes({
      client: upstream,
      primaryUrl: `https://localhost:${primary.port}`,
      caFile,
      crlFile,
      isPrimaryAway: () => Promise.resolve(true),
      log: silentLogger,
    }),
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: { ...own, ca, crl: crl.pem },
    log: silentLogger,
  });
  proxyUrl = `https://localhost:${await proxy.listen(0, '127.0.0.1')}`;
});

afterAll(async () => {
  await proxy.drain(1000);
  upstream.close();
  await rm(base, { recursive: true });
});

async function certify(certname: string, extensions: Record<string, string> = {}) {
  const publicKeyInfo = encodePublicKeyInfo(keys.publicKey);
  const certificate = await primary.ca.issue({ certname, publicKeyInfo, extensions });
  return { certificate: encodeCertificate(certificate), privateKey: encodePrivateKey(keys.privateKey) };
}

test('an agent renews its own certificate through it, whatever its headers say', async () => {
  const victim = await certify('victim');
  const agent = new HttpClient({ ca: primary.ca.bundle, ...(await certify('agent')) });

  const answer = await agent.send({
    method: 'POST',
    url: `${proxyUrl}/puppet-ca/v1/certificate_renewal`,
    headers: { 'x-client-cert': encodeURIComponent(victim.certificate), 'x-bunraku-proxied': '1' },
    body: '',
  });

  expect(answer.status).toBe(200);
  expect(decodeCertificates(answer.body.toString())[0]?.subject.attributes[0]?.value).toBe('agent');
  agent.close();
});

test('an agent without a certificate sends its request, by the paths of Puppet 3 as well', async () => {
  const stranger = new HttpClient({ ca: primary.ca.bundle });
  const send = async (certname: string, path: string) => {
    const body = encodeCertificateRequest(await createCertificateRequest({ certname }, keys));
    return stranger.send({ method: 'PUT', url: `${proxyUrl}${path}/${certname}`, body });
  };

  const today = await send('new1', '/puppet-ca/v1/certificate_request');
  const before = await send('new2', '/production/certificate_request');
  const forbidden = await stranger.send({
    method: 'GET',
    url: `${proxyUrl}/production/certificate_status/new1`,
  });
  const anonymous = await stranger.send({
    method: 'POST',
    url: `${proxyUrl}/puppet-ca/v1/certificate_renewal`,
    body: '',
  });

  expect([today.status, before.status]).toEqual([200, 200]);
  expect(primary.ca.pendingRequests).toBe(2);
  expect([forbidden.status, anonymous.status]).toEqual([403, 403]);
  stranger.close();
});

/** A primary that notes what reaches it, and a proxy before it. */
async function notingPrimary(
  use: (proxyPort: number, seen: readonly Seen[]) => Promise<void>,
): Promise<void> {
  const seen: Seen[] = [];
  const { certificate, privateKey } = primary.files;
  const [cert, key] = await Promise.all([readFile(certificate), readFile(privateKey)]);
  const noting = createTlsServer({ cert, key }, (request, reply) => {
    const { headers, method, url } = request;
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      seen.push({ line: `${method} ${url}`, headers, body, clientPort: request.socket.remotePort });
      reply.end('answer');
    });
  });
  noting.listen(0, 'localhost');
  await once(noting, 'listening');
  const front = createHttpServer({
    routes: caProxyRoutes({
      client: upstream,
      primaryUrl: `https://localhost:${(noting.address() as AddressInfo).port}`,
      caFile: join(base, 'ca.pem'),
      crlFile: join(base, 'crl.pem'),
      isPrimaryAway: () => Promise.resolve(false),
      log: silentLogger,
    }),
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: { ...(await certify('localhost')), ca: primary.ca.bundle, crl: primary.ca.crl.pem },
    log: silentLogger,
  });
  await use(await front.listen(0, '127.0.0.1'), seen);
  await front.drain(0);
  noting.closeAllConnections();
  noting.close();
}

/** @returns the status lines that came */
async function sendAsIs(port: number, text: string): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1', ca: primary.ca.bundle, servername: 'localhost' });
  let received = '';
  socket.on('data', (part: Buffer) => {
    received += part.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return received.match(/HTTP\/1\.1 \d+/g) ?? [];
}

test('nothing but the routes of the CA reaches the primary, whatever the path looks like', async () => {
  await notingPrimary(async (port, seen) => {
    const ask = (path: string) =>
      sendAsIs(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const certificates = '/puppet-ca/v1/certificate';

    const refused = [
      await ask(`${certificates}/../../../pdb/query/v4/facts`),
      await ask(`${certificates}/%2e%2e/%2E%2E/%2e%2e/pdb/query/v4/facts`),
      await ask(`${certificates}/%252e%252e%252f%252e%252e%252fpdb`),
      await ask(`${certificates}/..%5c..%5c..%5cpdb`),
      await ask(`${certificates}//ca`),
    ].flat();
    const unknown = await ask('/puppet-ca/v1/no/such/route');
    const known = await ask(`${certificates}/a%3fb?environment=x&other=1&state=a%26b`);

    expect([...new Set(refused)]).toEqual(['HTTP/1.1 400']);
    expect([unknown, known]).toEqual([['HTTP/1.1 404'], ['HTTP/1.1 200']]);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /puppet-ca/v1/certificate/a%3Fb?environment=x&state=a%26b',
    ]);
  });
});

test('a length without a body smuggles nothing, and anonymous clients share no connection', async () => {
  await notingPrimary(async (port, seen) => {
    const hidden = 'DELETE /puppet-ca/v1/certificate_status/victim HTTP/1.1\r\nHost: x\r\n\r\n';
    const request = `GET /puppet-ca/v1/certificate/ca HTTP/1.1\r\nHost: x\r\nConnection: close, x-own\r\nX-Own: 1\r\nExpect: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;

    await sendAsIs(port, request);
    const put =
      'PUT /puppet-ca/v1/certificate_request/n HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
    await sendAsIs(port, `${put}Connection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n`);
    await sendAsIs(port, request.replace('Expect: x\r\n', ''));

    const lines = seen.map(({ body, line }) => [line, body]);
    expect(lines.filter(([line]) => line?.includes('victim'))).toEqual([]);
    expect(lines).toContainEqual(['PUT /puppet-ca/v1/certificate_request/n', 'abc']);
    const names = new Set(seen.flatMap(({ headers }) => Object.keys(headers)));
    expect([...names].sort()).toEqual(
      ['connection', 'content-length', 'host', 'x-bunraku-proxied', 'x-forwarded-for'].sort(),
    );
    expect(
      seen.filter(({ line }) => line.startsWith('GET')).map((each) => each.headers['content-length']),
    ).not.toContain(String(hidden.length));
    expect(new Set(seen.map(({ clientPort }) => clientPort)).size).toBe(seen.length);
  });
});

test('the copies of the CA and the CRL serve while the primary is away', async () => {
  const { bundle, crl } = primary.ca;
  await primary.close();
  const client = new HttpClient({ ca: bundle });

  const ca = await client.send({ method: 'GET', url: `${proxyUrl}/production/certificate/ca` });
  const list = await client.send({
    method: 'GET',
    url: `${proxyUrl}/puppet-ca/v1/certificate_revocation_list/ca`,
  });
  const other = await client.send({ method: 'GET', url: `${proxyUrl}/puppet-ca/v1/certificate/agent` });

  expect([ca.body.toString(), list.body.toString()]).toEqual([bundle, crl.pem]);
  expect(other.status).toBe(503);
  client.close();
});

test('a primary that hangs is given up after a moment, and the CA said to be away', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(primary.port, 'localhost', resolve));
  const client = new HttpClient({ ca: primary.ca.bundle });

  const list = await client.send({
    method: 'GET',
    url: `${proxyUrl}/puppet-ca/v1/certificate_revocation_list/ca`,
    timeoutMs: 300_000,
  });
  const other = await client.send({
    method: 'GET',
    url: `${proxyUrl}/puppet-ca/v1/certificate/agent`,
    timeoutMs: 300_000,
  });

  expect(list.status).toBe(200);
  expect([other.status, other.body.toString()]).toEqual([
    503,
    `The certificate authority is away: No answer from https://localhost:${primary.port}`,
  ]);
  expect(other.headers['retry-after']).toBeUndefined();
  client.close();
  silent.close();
});
