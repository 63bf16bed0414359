import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CaServer, type Reply, send, startCaServer } from '../../../../test/ca/ca-server.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { Change } from '../../../platform/changes/index.ts';
import type { TokenAuthenticator } from '../../../platform/http/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  type KeyPair,
  type RequestContent,
} from '../../../platform/x509/index.ts';

const rights: Readonly<Record<string, readonly string[]>> = {
  clerk: ['cert_requests accept_reject'],
  officer: ['cert_requests accept_reject', 'certificates sign_special'],
  revoker: ['certificates revoke'],
  reader: ['nodes view_data'],
};
/** The token is the login. */
const authenticate: TokenAuthenticator = async (token, address) => {
  const granted = rights[token];
  if (granted === undefined) throw new ServiceError('unauthorized', 'No such token');
  const permits: Awaited<ReturnType<TokenAuthenticator>>['permits'] = ({ action, objectType }) =>
    granted.includes(`${objectType} ${action}`);
  return { kind: 'user', id: token, login: token, address, permits };
};

let server: CaServer;
let keys: KeyPair;
let admin: { readonly cert: string; readonly key: string };
let recorded: Change[] = [];

beforeAll(async () => {
  // The settings let anybody who signs allow everything: that does not count for tokens.
  const lenient = { allowSubjectAltNames: true, allowAuthorizationExtensions: true };
  server = await startCaServer(lenient, {
    authenticate,
    record: async (change) => void recorded.push(change),
  });
  keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  admin = {
    cert: await readFile(server.files.certificate, 'utf8'),
    key: await readFile(server.files.privateKey, 'utf8'),
  };
});
beforeEach(() => {
  recorded = [];
});
afterAll(() => server.close());

async function request(content: RequestContent): Promise<void> {
  const body = encodeCertificateRequest(await createCertificateRequest(content, keys));
  await send(server, 'PUT', `certificate_request/${content.certname}`, { body });
}

function as(token: string, method: string, path: string, body?: object): Promise<Reply> {
  const headers = { 'x-authentication': token, 'content-type': 'application/json' };
  return send(server, method, path, {
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function fingerprintOf(certname: string): Promise<string> {
  const { body } = await as('clerk', 'GET', `certificate_status/${certname}`);
  return (JSON.parse(body) as { readonly fingerprint: string }).fingerprint;
}

const signed = { desired_state: 'signed' };

describe('a user with a token', () => {
  test('signs, revokes and cleans with the permission for it, and is named in the record', async () => {
    await request({ certname: 'plain.test' });

    const refused = await as('revoker', 'PUT', 'certificate_status/plain.test', signed);
    const accepted = await as('clerk', 'PUT', 'certificate_status/plain.test', signed);
    const kept = await as('clerk', 'PUT', 'certificate_status/plain.test', { desired_state: 'revoked' });
    const alsoKept = await as('clerk', 'DELETE', 'certificate_status/plain.test');
    const revoked = await as('revoker', 'PUT', 'certificate_status/plain.test', { desired_state: 'revoked' });
    const cleaned = await as('revoker', 'PUT', 'clean', { certnames: ['plain.test'] });

    expect([refused.status, accepted.status, kept.status, alsoKept.status]).toEqual([403, 204, 403, 403]);
    expect([revoked.status, cleaned.status]).toEqual([204, 200]);
    expect(refused.body).toBe('revoker does not have permission to do this');
    expect(recorded.map(({ author, events }) => `${author.name} ${events[0]?.action}`)).toEqual([
      'clerk sign',
      'revoker revoke',
      'revoker clean',
    ]);
  });

  test('rejects requests, which is recorded', async () => {
    await request({ certname: 'reject1.test' });
    await request({ certname: 'reject2.test' });

    const first = await as('clerk', 'DELETE', 'certificate_request/reject1.test');
    const second = await as('clerk', 'DELETE', 'certificate_status/reject2.test');

    expect([first.status, second.status]).toEqual([204, 204]);
    expect(recorded.map(({ author, events }) => [author.name, events[0]?.message])).toEqual([
      ['clerk', 'Deleted the certificate request of reject1.test'],
      ['clerk', 'Deleted the certificate and the request of reject2.test'],
    ]);
  });

  test('consents to alternative names of the request that the fingerprint names', async () => {
    await request({ certname: 'special.test', altNames: 'DNS:puppet' });
    const path = 'certificate_status/special.test';
    const consent = { ...signed, allow_subject_alt_names: true };
    const fingerprint = await fingerprintOf('special.test');

    const silent = await as('officer', 'PUT', path, signed);
    const forbidden = await as('clerk', 'PUT', path, { ...consent, fingerprint });
    const unnamed = await as('officer', 'PUT', path, consent);
    const replaced = await as('officer', 'PUT', path, { ...consent, fingerprint: 'ab'.repeat(32) });
    const accepted = await as('officer', 'PUT', path, { ...consent, fingerprint });

    expect([silent.status, forbidden.status, unnamed.status]).toEqual([409, 403, 400]);
    expect(replaced).toMatchObject({ status: 409, body: expect.stringContaining(fingerprint) });
    expect(accepted.status).toBe(204);
  });

  test('consents to authorization extensions apart from alternative names', async () => {
    await request({ certname: 'role.test', extensions: { pp_auth_role: 'pe_compiler' } });
    const path = 'certificate_status/role.test';
    const fingerprint = await fingerprintOf('role.test');

    const other = await as('officer', 'PUT', path, { ...signed, allow_subject_alt_names: true, fingerprint });
    const right = await as('officer', 'PUT', path, {
      ...signed,
      allow_authorization_extensions: true,
      fingerprint,
    });

    expect([other.status, right.status]).toEqual([409, 204]);
  });

  test('signs no special request together with all others', async () => {
    await request({ certname: 'usual.test' });
    await request({ certname: 'unusual.test', altNames: 'DNS:puppet' });

    const { body } = await as('officer', 'POST', 'sign/all');

    expect(JSON.parse(body)).toEqual({
      signed: ['usual.test'],
      'no-csr': [],
      'signing-errors': ['unusual.test'],
    });
  });

  test('needs a right for it to see certificates, and a token that is known', async () => {
    const statuses = await Promise.all(
      ['clerk', 'revoker', 'reader', 'nobody'].map((token) => as(token, 'GET', 'certificate_statuses/any')),
    );

    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403, 401]);
  });
});

test('clients without a token are refused in the words of Puppet Server', async () => {
  expect(await send(server, 'GET', 'certificate_statuses/any')).toEqual({
    status: 403,
    contentType: undefined,
    body: 'Forbidden request: /puppet-ca/v1/certificate_statuses/any (method :get). Please see the server logs for details.',
  });
});

test('an operator with a certificate signs as the settings allow, and may name the fingerprint', async () => {
  await request({ certname: 'operator.test', altNames: 'DNS:puppet' });
  const put = (body: object) =>
    send(server, 'PUT', 'certificate_status/operator.test', {
      client: admin,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  expect(await put({ ...signed, fingerprint: 'short' })).toMatchObject({ status: 400 });
  expect(await put({ ...signed, fingerprint: '00'.repeat(32) })).toMatchObject({ status: 409 });
  expect(await put(signed)).toMatchObject({ status: 204 });
});

describe('the list of certificates', () => {
  async function names(query: string): Promise<readonly string[]> {
    const { body } = await as('clerk', 'GET', `certificate_statuses/any?${query}`);
    return (JSON.parse(body) as { readonly name: string; readonly state: string }[]).map(
      ({ name, state }) => `${name} ${state}`,
    );
  }

  beforeAll(async () => {
    for (const certname of ['web1.list', 'web2.list', 'web3.list']) await request({ certname });
    await request({ certname: 'db1.list', altNames: 'DNS:base.list' });
    await as('clerk', 'PUT', 'certificate_status/web2.list', signed);
  });

  test('is searched by words in names and alternative names, and by fingerprints', async () => {
    const digest = (await fingerprintOf('web3.list')).slice(0, 23);

    expect(await names('q=LIST+web')).toEqual([
      'web1.list requested',
      'web3.list requested',
      'web2.list signed',
    ]);
    expect(await names('q=base.list')).toEqual(['db1.list requested']);
    expect(await names(`q=${digest}`)).toEqual(['web3.list requested']);
    expect(await names('q=web&state=signed')).toEqual(['web2.list signed']);
  });

  test('is read page by page in the order of names', async () => {
    expect(await names('q=list&limit=2')).toEqual(['db1.list requested', 'web1.list requested']);
    expect(await names('q=list&limit=2&after=web1.list')).toEqual([
      'web2.list signed',
      'web3.list requested',
    ]);
    expect(await names('q=list&limit=2&after=web3.list')).toEqual([]);
    expect(await as('clerk', 'GET', 'certificate_statuses/any?limit=x')).toMatchObject({ status: 400 });
  });
});

describe('the origin of a request', () => {
  interface Listed {
    readonly name: string;
    readonly state: string;
    readonly origin?: {
      readonly address: string;
      readonly received_at: string;
      readonly reason: string;
    } | null;
  }
  async function listed(query: string): Promise<readonly Listed[]> {
    const { body } = await as('clerk', 'GET', `certificate_statuses/any?${query}`);
    return JSON.parse(body) as readonly Listed[];
  }

  test('shows address, time and reason when asked for', async () => {
    await request({ certname: 'new.origin' });
    await request({ certname: 'more.origin', altNames: 'DNS:puppet' });
    await request({ certname: 'old.origin' });
    await as('clerk', 'PUT', 'certificate_status/old.origin', signed);

    const [more, fresh, old] = await listed('q=origin&limit=10&with=origin');

    expect(fresh).toMatchObject({
      name: 'new.origin',
      origin: { address: '127.0.0.1', reason: 'autosign is false' },
    });
    expect(Date.parse(fresh?.origin?.received_at ?? '')).not.toBeNaN();
    expect(more).toMatchObject({ name: 'more.origin', origin: { reason: 'autosign is false' } });
    expect(old).toMatchObject({ name: 'old.origin', state: 'signed' });
    expect(old).not.toHaveProperty('origin');
    expect((await listed('q=new.origin'))[0]).not.toHaveProperty('origin');
  });

  test('is deleted with its request', async () => {
    await request({ certname: 'twice.origin' });
    const [before] = await listed('q=twice.origin&with=origin');
    await as('clerk', 'DELETE', 'certificate_status/twice.origin');
    await request({ certname: 'twice.origin' });
    const [after] = await listed('q=twice.origin&with=origin');

    expect(Date.parse(after?.origin?.received_at ?? '')).toBeGreaterThan(
      Date.parse(before?.origin?.received_at ?? ''),
    );
  });
});
