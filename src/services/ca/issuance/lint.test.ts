import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  type Certificate,
  type CertificateContent,
  commonNameOnly,
  createKeyPair,
  decodeCertificates,
  type Extension,
  encodePublicKeyInfo,
  keyIdentifier,
  keyUsage,
  parseAltNames,
  puppetExtension,
  serverAuth,
  subjectAltName,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';
import { lintAuthorityCertificate, lintCertificate, type Profile } from './lint.ts';

const caDir = mkdtempSync(join(tmpdir(), 'bunraku-lint-'));
const now = new Date('2026-11-23T12:00:00Z');
const key = { kind: 'ec', curve: 'P-256' } as const;
let ca: CertificateAuthority;
let publicKeyInfo: Buffer;
let good: Certificate;
let authority: Certificate;

beforeAll(async () => {
  const settings = { ...defaultCaSettings, key, caName: 'Puppet CA: test', caDir };
  ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => now });
  publicKeyInfo = encodePublicKeyInfo((await createKeyPair(key)).publicKey);
  good = await ca.issue({ certname: 'good', publicKeyInfo, extensions: { pp_role: 'web' } });
  [authority = good] = decodeCertificates(ca.bundle);
});

afterAll(async () => {
  await ca.close();
  rmSync(caDir, { recursive: true });
});

function lint(changes: Partial<CertificateContent>, profile: Profile = 'node'): () => void {
  const issuer = { certificate: authority, keyId: keyIdentifier(authority.publicKeyInfo) };
  return () => lintCertificate({ ...good, ...changes }, { certname: 'good', profile, issuer, now });
}

function withExtension(extension: Extension): Partial<CertificateContent> {
  const others = good.extensions.filter(({ oid }) => oid !== extension.oid);
  return { extensions: [...others, extension] };
}

describe('The lint', () => {
  test('accepts what the authority signs', () => {
    expect(lint({})).not.toThrow();
    expect(lint({}, 'renewal')).not.toThrow();
    expect(() => lintAuthorityCertificate(authority)).not.toThrow();
  });

  const wrong: readonly (readonly [string, () => Partial<CertificateContent>])[] = [
    ['the subject is not the certname alone', () => ({ subject: commonNameOnly('other') })],
    ['the issuer is not this authority', () => ({ issuer: commonNameOnly('other') })],
    ['is not positive or longer than 20 octets', () => ({ serial: '0' })],
    ['is not positive or longer than 20 octets', () => ({ serial: '1'.repeat(42) })],
    ['it is not valid before 2027-01-01', () => ({ notBefore: new Date('2027-01-01') })],
    ['it ends at 2020-01-01T00:00:00.000Z, before it begins', () => ({ notAfter: new Date('2020-01-01') })],
    ["its key is the authority's own", () => ({ publicKeyInfo: authority.publicKeyInfo })],
    ['its public key cannot be read', () => ({ publicKeyInfo: Buffer.from([0x30, 0]) })],
    ['subjectKeyIdentifier is not', () => ({ extensions: [] })],
    ['authorityKeyIdentifier is not', () => withExtension(authorityKeyIdentifier(Buffer.alloc(20)))],
    ['basicConstraints is missing', () => withExtension(basicConstraints(true))],
    ['basicConstraints is missing', () => withExtension({ ...basicConstraints(false), critical: false })],
    ['keyUsage is missing', () => withExtension(keyUsage('ca'))],
    ['extendedKeyUsage is missing', () => withExtension(serverAuth())],
    ['the certname is not among', () => withExtension(subjectAltName(parseAltNames('other')))],
    ['is neither a DNS name', () => withExtension(subjectAltName(parseAltNames('good,a\0b')))],
    [
      '2.5.29.30 does not belong',
      () => withExtension({ oid: '2.5.29.30', critical: false, value: Buffer.of(5, 0) }),
    ],
    ['.1.13 is critical', () => withExtension({ ...puppetExtension('pp_role', 'x'), critical: true })],
    ['(pp_cli_auth) was not asked for', () => withExtension(puppetExtension('pp_cli_auth', 'true'))],
  ];

  test.each(wrong)('refuses a certificate because %s', (message, changes) => {
    expect(lint(changes())).toThrow(message);
  });

  test('lets nodes keep an older profile when they renew, but never become authorities', () => {
    const older = good.extensions.filter(({ oid }) => oid !== subjectAltName([]).oid);

    expect(lint({ extensions: older }, 'renewal')).not.toThrow();
    expect(lint(withExtension(basicConstraints(true)), 'renewal')).toThrow('basicConstraints say CA:TRUE');
    expect(lint(withExtension(keyUsage('ca')), 'renewal')).toThrow('keyUsage says keyCertSign');
  });

  test('gives no rights to the certificate of a port', () => {
    expect(lint(withExtension(serverAuth()), 'service')).toThrow('.1.13 does not belong there');
  });

  test('refuses authorities that are none', () => {
    expect(() => lintAuthorityCertificate(good)).toThrow('basicConstraints do not say CA:TRUE');
  });
});

describe('An order that the lint refuses', () => {
  test.each([
    ['a second basicConstraints', { extensions: { '2.5.29.19': 'x' } }, 'occurs twice'],
    ['a foreign extension', { extensions: { '2.5.29.30': 'x' } }, '2.5.29.30 does not belong there'],
    ['rights on the authority', { extensions: { pp_cli_auth: 'true' } }, 'was not asked for'],
    ['an end after the year 9999', { ttlSeconds: 1e12 }, 'ends after the year 9999'],
  ])('leaves no certificate: %s', async (_, order, message) => {
    const inventory = () => readFileSync(join(caDir, 'inventory.txt'), 'utf8');
    const before = inventory();

    await expect(ca.issue({ certname: 'refused', publicKeyInfo, ...order })).rejects.toThrow(message);

    expect(inventory()).toBe(before);
    expect(readdirSync(join(caDir, 'signed'))).not.toContain('refused.pem');
  });

  test('does not fail those that are signed at the same time', async () => {
    const outcomes = await Promise.allSettled([
      ca.issue({ certname: 'one', publicKeyInfo }),
      ca.issue({ certname: 'two', publicKeyInfo, extensions: { pp_cli_auth: 'true' } }),
      ca.issue({ certname: 'three', publicKeyInfo }),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(readdirSync(join(caDir, 'signed')).toSorted()).toEqual(['good.pem', 'one.pem', 'three.pem']);
  });
});
