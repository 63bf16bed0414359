import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaServer, type Reply, type Sent, send, startCaServer } from '../../../../test/ca/ca-server.ts';
import type { Change } from '../../../platform/changes/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
  type KeyPair,
  type RequestContent,
} from '../../../platform/x509/index.ts';

let server: CaServer;
let keys: KeyPair;
const recorded: Change[] = [];
/** The server's own certificate, which may administer the authority. */
let admin: { cert: string; key: string };

beforeAll(async () => {
  server = await startCaServer(
    { allowAutoRenewal: true },
    { record: async (change) => void recorded.push(change) },
  );
  keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  admin = {
    cert: await readFile(server.files.certificate, 'utf8'),
    key: await readFile(server.files.privateKey, 'utf8'),
  };
});

afterAll(() => server.close());

async function pending(content: RequestContent): Promise<string> {
  const pem = encodeCertificateRequest(await createCertificateRequest(content, keys));
  await send(server, 'PUT', `certificate_request/${content.certname}`, { body: pem });
  return pem;
}

function asAdmin(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  return send(server, method, path, { ...sent, client: admin });
}

function put(path: string, value: unknown): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  return asAdmin('PUT', path, { body: JSON.stringify(value), headers });
}

/** Recorded from Puppet Server 7.9.5, except for `;charset=UTF-8` without a type, which it sends with some errors. */
describe('answers recorded from Puppet Server', () => {
  const plain = 'text/plain';
  const withCharset = 'text/plain;charset=utf-8';
  test.each([
    ['GET', 'certificate', { status: 404, contentType: plain, body: 'Could not find certificate nosuch.x' }],
    [
      'GET',
      'certificate_request',
      { status: 404, contentType: plain, body: 'Could not find certificate_request nosuch.x' },
    ],
    ['GET', 'certificate_status', { status: 404, contentType: withCharset, body: 'Resource not found.' }],
    ['PUT', 'certificate_status', { status: 400, contentType: withCharset, body: 'Empty request body.' }],
  ])('%s %s of an unknown node', async (method, kind, reply) => {
    expect(await asAdmin(method, `${kind}/nosuch.x`)).toEqual(reply);
  });

  test('a request is accepted with an empty answer, and refused the second time', async () => {
    const pem = encodeCertificateRequest(
      await createCertificateRequest({ certname: 'xx1.other.test' }, keys),
    );

    const first = await send(server, 'PUT', 'certificate_request/xx1.other.test', { body: pem });
    const second = await send(server, 'PUT', 'certificate_request/zz.x', { body: pem });

    expect(first).toEqual({ status: 200, contentType: 'text/plain', body: '' });
    expect(second).toEqual({
      status: 400,
      contentType: 'text/plain;charset=utf-8',
      body: 'xx1.other.test already has a requested certificate; ignoring certificate request',
    });
    expect((await asAdmin('GET', 'certificate_request/xx1.other.test')).body).toBe(pem);
  });

  test('an unknown state is refused', async () => {
    expect(await put('certificate_status/agent1.bench.test', { desired_state: 'bogus' })).toMatchObject({
      status: 400,
      body: "State bogus invalid; Must specify desired state of 'signed' or 'revoked' for host agent1.bench.test.",
    });
  });

  test('cleaning names what does not exist', async () => {
    expect(await put('clean', { certnames: ['xx2.other.test', 'nosuch'] })).toEqual({
      status: 200,
      contentType: 'text/plain',
      body: 'The following certs do not exist and cannot be revoked: ["xx2.other.test" "nosuch"]',
    });
  });

  test('statuses have the same fields in the same order', async () => {
    await pending({ certname: 'order.test' });
    const requested = (await asAdmin('GET', 'certificate_status/order.test')).body;
    await put('certificate_status/order.test', { desired_state: 'signed' });
    const signed = (await asAdmin('GET', 'certificate_status/order.test', { headers: { accept: '*/*' } }))
      .body;

    const fields = (body: string) => Object.keys(JSON.parse(body) as object).join(' ');
    expect(fields(requested)).toBe(
      'name state dns_alt_names subject_alt_names authorization_extensions fingerprint fingerprints',
    );
    expect(fields(signed)).toBe(
      'name dns_alt_names state authorization_extensions subject_alt_names not_before fingerprints not_after serial_number fingerprint',
    );
    expect(JSON.parse(signed)).toMatchObject({ dns_alt_names: ['DNS:order.test'], state: 'signed' });
    expect(signed).toMatch(/"not_after":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC","serial_number":\d+,/);
  });

  test('anonymous clients get the CA and its CRL, but nothing that administers it', async () => {
    expect((await send(server, 'GET', 'certificate/ca')).body).toBe(server.ca.bundle);
    expect((await send(server, 'GET', 'certificate_revocation_list/ca')).body).toBe(server.ca.crl.pem);
    expect(await send(server, 'GET', 'certificate_statuses/all')).toMatchObject({
      status: 403,
      body: 'Forbidden request: /puppet-ca/v1/certificate_statuses/all (method :get). Please see the server logs for details.',
    });
  });
});

describe('certificate_status', () => {
  test('signs, revokes and deletes', async () => {
    await pending({ certname: 'life.test' });

    const signed = await put('certificate_status/life.test', { desired_state: 'signed', cert_ttl: 3600 });
    const again = await put('certificate_status/life.test', { desired_state: 'signed' });
    const revoked = await put('certificate_status/life.test', { desired_state: 'revoked' });
    const state = JSON.parse((await asAdmin('GET', 'certificate_statuses/all?state=revoked')).body);
    const deleted = await asAdmin('DELETE', 'certificate_status/life.test');

    expect(signed).toMatchObject({ status: 204, body: '' });
    expect(again).toMatchObject({
      status: 409,
      body: 'Cannot sign certificate for host life.test without a certificate request',
    });
    expect(revoked.status).toBe(204);
    expect(state).toMatchObject([{ name: 'life.test', state: 'revoked' }]);
    expect(deleted.status).toBe(204);
    expect((await asAdmin('GET', 'certificate_status/life.test')).status).toBe(404);
  });

  test('refuses what makes no sense', async () => {
    await pending({ certname: 'fresh.test' });

    expect(await put('certificate_status/fresh.test', { desired_state: 'revoked' })).toMatchObject({
      status: 409,
      body: 'Cannot revoke certificate for host fresh.test without a signed certificate',
    });
    expect(await put('certificate_status/nobody.test', { desired_state: 'revoked' })).toMatchObject({
      status: 404,
      body: 'Invalid certificate subject.',
    });
    expect(
      await put('certificate_status/fresh.test', { desired_state: 'signed', cert_ttl: 'x' }),
    ).toMatchObject({
      status: 400,
      body: 'cert_ttl specified for host fresh.test must be an integer, not "x"',
    });
    expect(await put('certificate_status/fresh.test', {})).toMatchObject({
      status: 400,
      body: 'Missing required parameter "desired_state"',
    });
    expect((await asAdmin('GET', 'certificate_status/x', { headers: { accept: 'text/html' } })).status).toBe(
      406,
    );
  });
});

describe('bulk operations', () => {
  test('sign what can be signed and name the rest', async () => {
    await pending({ certname: 'bulk1.test' });
    await pending({ certname: 'bulk2.test', altNames: 'other' });

    const { status, body } = await asAdmin('POST', 'sign', {
      body: JSON.stringify({ certnames: ['bulk1.test', 'bulk2.test', 'bulk3.test'] }),
    });

    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      signed: ['bulk1.test'],
      'no-csr': ['bulk3.test'],
      'signing-errors': ['bulk2.test'],
    });
    const refusals = await Promise.all(
      ['x', '{"certnames":"a"}'].map(async (body) => await asAdmin('POST', 'sign', { body })),
    );
    expect(refusals.map(({ status }) => status)).toEqual([422, 422]);
    expect(
      refusals.map(({ body }) => (JSON.parse(String(body)) as { submitted: unknown }).submitted),
    ).toEqual(['x', { certnames: 'a' }]);
  });

  test('revoke and remove what is cleaned', async () => {
    await pending({ certname: 'dirty.test' });
    await put('certificate_status/dirty.test', { desired_state: 'signed' });

    expect(await put('clean', { certnames: ['dirty.test'] })).toMatchObject({
      status: 200,
      body: 'Successfully cleaned all certs.',
    });
    expect((await send(server, 'GET', 'certificate/dirty.test')).status).toBe(404);
  });
});

test('what operators do with certificates is recorded, and what they are refused is not', async () => {
  for (const certname of ['told1.test', 'told2.test', 'told3.test']) await pending({ certname });
  recorded.splice(0);

  await put('certificate_status/told1.test', { desired_state: 'signed' });
  await put('certificate_status/told1.test', { desired_state: 'signed' });
  await put('certificate_status/told1.test', { desired_state: 'revoked' });
  await asAdmin('DELETE', 'certificate_status/told1.test');
  await asAdmin('POST', 'sign', { body: JSON.stringify({ certnames: ['told2.test', 'unknown.test'] }) });
  await put('clean', { certnames: ['told2.test', 'unknown.test'] });
  await send(server, 'PUT', 'certificate_status/told3.test', { body: '{"desired_state":"signed"}' });

  expect(recorded.map(({ author, events }) => `${author.name}: ${events[0]?.message}`)).toEqual([
    'localhost: Signed the certificate of told1.test',
    'localhost: Revoked the certificates of told1.test',
    'localhost: Deleted the certificate and the request of told1.test',
    'localhost: Signed the certificate of told2.test',
    'localhost: Revoked and deleted the certificates of told2.test',
  ]);
});

describe('the CRL', () => {
  test('is sent again only when it changed since', async () => {
    const { modifiedAt } = server.ca.crl;
    const since = (ms: number) => ({
      headers: { 'if-modified-since': new Date(modifiedAt.getTime() + ms).toUTCString() },
    });

    expect((await send(server, 'GET', 'certificate_revocation_list/ca', since(2000))).status).toBe(304);
    expect((await send(server, 'GET', 'certificate_revocation_list/ca', since(-2000))).status).toBe(200);
    const unreadable = { headers: { 'if-modified-since': 'yesterday' } };
    expect((await send(server, 'GET', 'certificate_revocation_list/ca', unreadable)).status).toBe(200);
  });
});

describe('renewal', () => {
  test('gives only the bearer of a certificate a new one', async () => {
    await pending({ certname: 'renew.test' });
    await put('certificate_status/renew.test', { desired_state: 'signed' });
    const cert = (await send(server, 'GET', 'certificate/renew.test')).body;
    const client = { cert, key: encodePrivateKey(keys.privateKey) };

    const renewed = await send(server, 'POST', 'certificate_renewal', { client });
    const anonymous = await send(server, 'POST', 'certificate_renewal');

    expect(renewed.status).toBe(200);
    expect(renewed.body).not.toBe(cert);
    expect((await send(server, 'GET', 'certificate/renew.test')).body).toBe(renewed.body);
    expect(anonymous.status).toBe(403);
  });
});

describe('hostile names', () => {
  test.each(['..%2f..%2fca_key', '%2e%2e%2fca_key', 'a%00b', '%ff', 'x'.repeat(4000), '.hidden'])(
    '%s is not found, wherever it points',
    async (name) => {
      const { status, body } = await send(server, 'GET', `certificate/${name}`);

      expect([400, 404]).toContain(status);
      expect(body).not.toContain('PRIVATE KEY');
    },
  );

  test('a request that is too large is refused', async () => {
    const reply = send(server, 'PUT', 'certificate_request/big.test', { body: 'x'.repeat(300 * 1024) });

    await expect(reply.then(({ status }) => status)).resolves.toBe(413);
  });

  test('a request that is not one is refused in words', async () => {
    expect(await send(server, 'PUT', 'certificate_request/zz.x', { body: 'garbage' })).toEqual({
      status: 400,
      contentType: 'text/plain;charset=utf-8',
      body: 'Could not read the certificate request: No certificate request found',
    });
  });
});

describe('the real agent', () => {
  const recorded = new URL('../../../../test/recorded/agent/run1.json', import.meta.url);
  const text = readFileSync(recorded, 'utf8');

  test('gets its recorded request signed', async () => {
    const { exchanges } = JSON.parse(text) as {
      exchanges: readonly { method: string; target: string; requestBody: string }[];
    };
    const exchange = exchanges.find(
      ({ method, target }) => method === 'PUT' && target.includes('certificate_request'),
    );
    const name = exchange?.target.split('/').at(-1) ?? '';

    const reply = await send(server, 'PUT', `certificate_request/${name}`, {
      body: exchange?.requestBody ?? '',
    });
    await put(`certificate_status/${name}`, { desired_state: 'signed' });

    expect(reply).toEqual({ status: 200, contentType: 'text/plain', body: '' });
    expect((await send(server, 'GET', `certificate/${name}`)).status).toBe(200);
  });
});
