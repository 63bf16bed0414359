import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
