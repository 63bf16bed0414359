import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaServer, type Sent, send, startCaServer } from '../../../../test/ca/ca-server.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodeCertificates,
  encodeCertificate,
  encodeCertificateRequest,
  encodePrivateKey,
  encodePublicKeyInfo,
  type KeyPair,
} from '../../../platform/x509/index.ts';
import { loadCaConf } from '../setup/ca-conf.ts';

let server: CaServer;
let base: string;
let keys: KeyPair;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-proxied-'));
  keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const policyFile = join(base, 'policy.yaml');
  await writeFile(policyFile, 'rules: [{ name: near, action: sign, source: 10.0.0.0/8 }]');
  server = await startCaServer(
    { allowAutoRenewal: true, policyFile },
    {
      isInfrastructure: (identity) =>
        identity.kind === 'certificate' && identity.extensions['pp_auth_role'] === 'pe_compiler',
    },
  );
});

afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true });
});

/** A certificate with its key, as a client shows it. */
async function client(certname: string, extensions: Record<string, string> = {}) {
  const publicKeyInfo = encodePublicKeyInfo(keys.publicKey);
  const certificate = await server.ca.issue({ certname, publicKeyInfo, extensions });
  return { cert: encodeCertificate(certificate), key: encodePrivateKey(keys.privateKey) };
}

function request(certname: string): Promise<string> {
  return createCertificateRequest({ certname }, keys).then(encodeCertificateRequest);
}

describe('a compile server speaks for agents', () => {
  const behind = (cert: string) => ({ 'x-bunraku-proxied': '1', 'x-client-cert': encodeURIComponent(cert) });
  const renew = (sent: Sent) => send(server, 'POST', 'certificate_renewal', sent);

  test('when they renew: the certificate in the header is renewed, not its own', async () => {
    const proxy = await client('compile1', { pp_auth_role: 'pe_compiler' });
    const agent = await client('agent1', { pp_role: 'web' });

    const reply = await renew({ client: proxy, headers: behind(agent.cert) });

    const [renewed] = decodeCertificates(reply.body);
    expect(reply.status).toBe(200);
    expect(renewed?.subject.attributes[0]?.value).toBe('agent1');
  });

  test('and no other client does: an agent renews itself whatever its headers say', async () => {
    const agent = await client('agent2');
    const victim = await client('victim');

    const reply = await renew({ client: agent, headers: behind(victim.cert) });

    expect(decodeCertificates(reply.body)[0]?.subject.attributes[0]?.value).toBe('agent2');
  });

  test('and renews its own certificate for as long as the first time', async () => {
    const proxy = await client('compile2', { pp_auth_role: 'pe_compiler' });

    const reply = await renew({ client: proxy });

    const [renewed] = decodeCertificates(reply.body);
    expect(renewed?.subject.attributes[0]?.value).toBe('compile2');
    expect((renewed?.notAfter.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 365 * 86_400_000);
  });

  test('and nothing is renewed for an agent without a certificate or with a revoked one', async () => {
    const proxy = await client('compile3', { pp_auth_role: 'pe_compiler' });
    const revoked = await client('agent3');
    await server.ca.revoke(['agent3']);

    const without = await renew({ client: proxy, headers: { 'x-bunraku-proxied': '1' } });
    const refused = await renew({ client: proxy, headers: behind(revoked.cert) });
    const nonsense = await renew({ client: proxy, headers: behind('nonsense') });

    expect([without.status, refused.status, nonsense.status]).toEqual([400, 403, 400]);
  });

  test('and says where they are, for rules that look at that', async () => {
    const proxy = await client('compile4', { pp_auth_role: 'pe_compiler' });
    const stranger = await client('agent4');
    const headers = { 'x-bunraku-proxied': '1', 'x-forwarded-for': '10.1.2.3' };
    const put = async (certname: string, sent: Sent) =>
      send(server, 'PUT', `certificate_request/${certname}`, { ...sent, body: await request(certname) });

    await put('near1', { client: proxy, headers });
    await put('near2', { client: stranger, headers });

    expect(await server.ca.findStatus('near1')).toMatchObject({ state: 'signed' });
    expect(await server.ca.findStatus('near2')).toMatchObject({ state: 'requested' });
  });
});

describe('the paths of Puppet 3', () => {
  test('answer as those of today, under the same rules', async () => {
    const body = await request('old1');

    const ca = await send(server, 'GET', '/production/certificate/ca');
    const sent = await send(server, 'PUT', '/production/certificate_request/old1', { body });
    const crl = await send(server, 'GET', '/production/certificate_revocation_list/ca');
    const status = await send(server, 'GET', '/production/certificate_status/old1');
    const bad = await send(server, 'PUT', '/production/certificate_request/other', { body });

    expect(ca.body).toBe(server.ca.bundle);
    expect([sent.status, crl.status, status.status]).toEqual([200, 200, 403]);
    expect(crl.body).toBe(server.ca.crl.pem);
    expect(bad).toMatchObject({
      status: 400,
      body: 'old1 already has a requested certificate; ignoring certificate request',
    });
  });
});

describe('a CRL that is followed', () => {
  const follow = async (etag: string | undefined, wait = 20) =>
    send(server, 'GET', 'certificate_revocation_list/ca', {
      client: await client('follower'),
      headers: { prefer: `wait=${wait}`, ...(etag === undefined ? {} : { 'if-none-match': etag }) },
    });

  test('comes at once to those who have another, and as soon as it changes to those who have it', async () => {
    await client('followed');
    const first = await follow(undefined);
    const waiting = follow(server.ca.crl.etag);

    await server.ca.revoke(['followed']);

    const second = await waiting;
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toBe(server.ca.crl.pem);
    expect(second.body).not.toBe(first.body);
  });

  test('refuses clients without a certificate at once', async () => {
    const headers = { prefer: 'wait=60', 'if-none-match': server.ca.crl.etag };

    expect((await send(server, 'GET', 'certificate_revocation_list/ca', { headers })).status).toBe(200);
  });

  test('is not sent again when the time is over', async () => {
    expect((await follow(server.ca.crl.etag, 0)).status).toBe(304);
  });
});

describe('an older ca.conf', () => {
  test('says who may use the status endpoints, in the place of auth.conf', async () => {
    const file = join(base, 'ca.conf');
    await writeFile(
      file,
      'certificate-authority: { allow-subject-alt-names: true, auto-renewal-cert-ttl: 30d, certificate-status: { client-whitelist: [Host1] } }',
    );
    const conf = await loadCaConf(file);
    const old = await startCaServer(
      { ...conf.settings },
      conf.statusAccess ? { statusAccess: conf.statusAccess } : {},
    );
    const certify = async (certname: string) => {
      const publicKeyInfo = encodePublicKeyInfo(keys.publicKey);
      const certificate = await old.ca.issue({ certname, publicKeyInfo });
      return { cert: encodeCertificate(certificate), key: encodePrivateKey(keys.privateKey) };
    };
    const cli = {
      cert: await readFile(old.files.certificate, 'utf8'),
      key: await readFile(old.files.privateKey, 'utf8'),
    };

    const listed = await send(old, 'GET', 'certificate_statuses/any', { client: await certify('host1') });
    const other = await send(old, 'GET', 'certificate_statuses/any', { client: await certify('host2') });
    const byExtension = await send(old, 'GET', 'certificate_status/host1', { client: cli });

    expect(conf).toMatchObject({
      settings: { allowSubjectAltNames: true },
      autoRenewalTtlSeconds: 30 * 86_400,
    });
    expect([listed.status, other.status, byExtension.status]).toEqual([200, 403, 403]);
    await old.close();
  });

  test.each([
    ['certificate-authority: { certificate-status: { client-whitelist: [] } }', undefined],
    ['certificate-authority: { certificate-status: { authorization-required: false } }', false],
    ['', undefined],
  ])('%j', async (text, isRequired) => {
    const file = join(base, 'other.conf');
    await writeFile(file, text);

    expect((await loadCaConf(file)).statusAccess?.isAuthorizationRequired).toBe(isRequired);
  });
});
