import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../../lib/service-error.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  oids,
  type RequestContent,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';
import type { JoinTerminus } from './join.ts';

const key = { kind: 'ec', curve: 'P-256' } as const;
let base: string;
let ca: CertificateAuthority;
let uses: string[];

/** Two secrets: one that is good for compile servers, and one that has ended. */
const joins: JoinTerminus = {
  isToken: (text) => text.startsWith('token-'),
  grant(text) {
    if (text !== 'token-good') throw new ServiceError('forbidden', 'The token to join with has ended');
    return Promise.resolve({ certnames: ['*.compile.test'], altNames: ['DNS:puppet'] });
  },
  use: (_text, certname) => Promise.resolve(void uses.push(certname)),
};

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-join-'));
  ca = await CertificateAuthority.open(
    { ...defaultCaSettings, key, caDir: join(base, 'ca'), caName: 'Puppet CA: join' },
    { log: silentLogger, now: () => new Date() },
  );
});

afterAll(async () => {
  await ca.close();
  await rm(base, { recursive: true });
});

beforeEach(() => {
  uses = [];
});

async function request(token: string, content: RequestContent): Promise<string> {
  const attributes = { [oids.challengePassword]: token };
  return encodeCertificateRequest(
    await createCertificateRequest({ ...content, attributes }, await createKeyPair(key)),
  );
}

async function waiting(): Promise<readonly string[]> {
  return readdir(join(base, 'ca', 'requests'));
}

test('a token signs the role and the names that it is for, and the same request signs nothing twice', async () => {
  const certname = 'one.compile.test';
  const content = { certname, altNames: 'puppet', extensions: { pp_auth_role: 'pe_compiler', pp_role: 'x' } };
  const pem = await request('token-good', content);

  const answers = [
    await ca.submitRequest(certname, pem, { joins }),
    await ca.submitRequest(certname, pem, { joins }),
  ];

  expect(answers).toEqual(['signed', 'signed']);
  expect(uses).toEqual([certname]);
  expect(await ca.findStatus(certname)).toMatchObject({
    state: 'signed',
    authorizationExtensions: { pp_auth_role: 'pe_compiler' },
    dnsAltNames: ['DNS:puppet', 'DNS:one.compile.test'],
  });
  expect(await waiting()).toEqual([]);
});

test.each([
  ['an ended token', 'token-old', {}, 'has ended'],
  ['another name', 'token-good', { certname: 'web.test' }, 'does not allow what web.test asks for'],
  [
    'other alternative names',
    'token-good',
    { altNames: 'primary.test' },
    'DNS:primary.test is not in the list',
  ],
  ['another role', 'token-good', { extensions: { pp_auth_role: 'admin' } }, 'other pp_auth_role'],
  ['another right', 'token-good', { extensions: { pp_cli_auth: 'true' } }, 'not permitted'],
])('%s is refused in words, and the request is not kept', async (_what, token, changes, message) => {
  const content = { certname: 'two.compile.test', ...changes };
  const pem = await request(token, content);

  await expect(ca.submitRequest(content.certname, pem, { joins })).rejects.toThrow(message);

  expect(uses).toEqual([]);
  expect(await waiting()).toEqual([]);
});

test('a name that has a certificate is not given to another key', async () => {
  const certname = 'three.compile.test';
  await ca.submitRequest(certname, await request('token-good', { certname }), { joins });

  const other = ca.submitRequest(certname, await request('token-good', { certname }), { joins });

  await expect(other).rejects.toThrow('three.compile.test already has a signed certificate');
  expect(uses).toEqual([certname]);
});

test('a node that waits for a signature is signed when it asks again with a token', async () => {
  const certname = 'again.compile.test';
  const [keys, other] = [await createKeyPair(key), await createKeyPair(key)];
  const ask = async (pair: typeof keys, attributes = {}) => {
    const request = await createCertificateRequest({ certname, altNames: 'puppet', attributes }, pair);
    return ca.submitRequest(certname, encodeCertificateRequest(request), { joins });
  };
  const token = { [oids.challengePassword]: 'token-good' };

  const before = await ask(keys);
  await expect(ask(other, token)).rejects.toThrow('already has a requested certificate');
  const after = await ask(keys, token);

  expect([before, after]).toEqual(['pending', 'signed']);
  expect(await waiting()).not.toContain(`${certname}.pem`);
});
