import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../platform/log/index.ts';
import {
  type Certificate,
  decodeCertificates,
  readSubjectAltNames,
  renderAltName,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';
import { ensureServerCertificate, ensureServiceCertificate } from './server-certificate.ts';

const key = { kind: 'ec', curve: 'P-256' } as const;
const dayMs = 86_400_000;
let base: string;
let ca: CertificateAuthority;
let request: Parameters<typeof ensureServerCertificate>[1];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-service-'));
  ca = await CertificateAuthority.open(
    { ...defaultCaSettings, key, caDir: join(base, 'ca'), caName: 'Puppet CA: service' },
    { log: silentLogger, now: () => new Date() },
  );
  request = { sslDir: join(base, 'ssl'), certname: 'primary.test', altNames: 'puppet', key };
});

afterAll(async () => {
  await ca.close();
  await rm(base, { recursive: true });
});

async function ensure(service: string, days = 0): Promise<Certificate> {
  const now = new Date(Date.now() + days * dayMs);
  const files = await ensureServiceCertificate(ca, service, request, now);
  const [certificate] = decodeCertificates(await readFile(files.certificate, 'utf8'));
  if (certificate) return certificate;
  throw new Error('there is no certificate');
}

test('a service shows the names of its host, and nothing that a client could be', async () => {
  const certificate = await ensure('server');

  const file = join(base, 'ssl', 'certs', '_server.primary.test.pem');
  const verify = (purpose: string) =>
    execFileSync(
      'openssl',
      ['verify', '-CAfile', join(base, 'ca', 'ca_crt.pem'), '-purpose', purpose, file],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ).toString();
  expect(readSubjectAltNames(certificate.extensions).map(renderAltName)).toEqual([
    'DNS:primary.test',
    'DNS:puppet',
  ]);
  expect(verify('sslserver')).toBe(`${file}: OK\n`);
  expect(() => verify('sslclient')).toThrow('unsuitable certificate purpose');
});

test('services and their node are revoked and renewed apart', async () => {
  const [server, database] = [await ensure('server'), await ensure('puppetdb')];
  await ensureServerCertificate(ca, request, new Date());

  await ca.revoke(['primary.test', '_puppetdb.primary.test']);

  const [serverAfter, databaseAfter] = [await ensure('server'), await ensure('puppetdb')];
  expect(ca.isRevoked(server.serial)).toBe(false);
  expect(serverAfter.serial).toBe(server.serial);
  expect(databaseAfter.serial).not.toBe(database.serial);
  expect(databaseAfter.publicKeyInfo).not.toEqual(database.publicKeyInfo);
});

test('a certificate that ends soon is renewed for the same key', async () => {
  const before = await ensure('server');

  const early = await ensure('server', 365);
  const due = await ensure('server', 5 * 365 - 30);

  expect(early.serial).toBe(before.serial);
  expect(due.serial).not.toBe(before.serial);
  expect(due.publicKeyInfo).toEqual(before.publicKeyInfo);
});

test('a damaged key or certificate of a port is replaced, and said', async () => {
  const logged: string[] = [];
  const log: Logger = { ...silentLogger, error: (_, message) => void logged.push(message) };
  const damagedRequest = { ...request, log };
  const first = await ensureServiceCertificate(ca, 'orchestrator', damagedRequest, new Date());
  const serialOf = async () => decodeCertificates(await readFile(first.certificate, 'utf8'))[0]?.serial;
  const serials = [await serialOf()];

  for (const [file, content] of [
    [first.privateKey, 'garbage'],
    [first.privateKey, ''],
    [first.certificate, '-----BEGIN CERTIFICATE-----\nMII'],
    [first.certificate, ''],
  ] as const) {
    await writeFile(file, content);
    await ensureServiceCertificate(ca, 'orchestrator', damagedRequest, new Date());
    serials.push(await serialOf());
    const pair = new X509Certificate(await readFile(first.certificate));
    expect(pair.checkPrivateKey(createPrivateKey(await readFile(first.privateKey)))).toBe(true);
  }

  expect(new Set(serials).size).toBe(5);
  expect(new Set(logged)).toEqual(
    new Set([
      'key of a port was damaged: replacing it and its certificate',
      'own certificate was damaged: replacing it',
    ]),
  );
  expect(logged).toHaveLength(4);
});

test('a damaged key of the node is left alone, and the error says what to do', async () => {
  const { privateKey } = await ensureServerCertificate(ca, request, new Date());
  await writeFile(privateKey, 'garbage');

  await expect(ensureServerCertificate(ca, request, new Date())).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining(`Could not read the private key in ${privateKey}: it is damaged`),
  });

  expect(await readFile(privateKey, 'utf8')).toBe('garbage');
});
