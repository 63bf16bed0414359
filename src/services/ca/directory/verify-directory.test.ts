import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';
import { verifyDirectory } from './verify-directory.ts';

const key = { kind: 'ec', curve: 'P-256' } as const;
const yearMs = 365 * 86_400_000;
const now = new Date();
let base: string;
let whole: string;
let caDir: string;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-verify-'));
  whole = join(base, 'whole');
  const settings = { ...defaultCaSettings, caDir: whole, key, caName: 'Puppet CA: verify' };
  const ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });
  for (const certname of ['signed.test', 'revoked.test', 'waiting.test']) {
    const request = await createCertificateRequest({ certname }, await createKeyPair(key));
    await ca.submitRequest(certname, encodeCertificateRequest(request));
    if (certname !== 'waiting.test') await ca.sign(certname);
  }
  await ca.revoke(['revoked.test']);
  await ca.close();
});
beforeEach(() => {
  caDir = join(mkdtempSync(join(base, 'copy-')), 'ca');
  cpSync(whole, caDir, { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true }));

const file = (...names: readonly string[]) => join(caDir, ...names);

async function findings(at = now): Promise<readonly string[]> {
  const { findings: found } = await verifyDirectory(caDir, false, at);
  return found.map(({ message, severity }) => `${severity}: ${message.replaceAll(`${caDir}/`, '')}`);
}

test('a directory in order has no findings, and is counted', async () => {
  expect(await verifyDirectory(caDir, false, now)).toEqual({
    findings: [],
    certificates: 2,
    requests: 1,
    revoked: 1,
  });
});

test('files that are missing or cannot be read are named, and the rest is looked at all the same', async () => {
  rmSync(file('serial'));
  rmSync(file('inventory.txt'));
  writeFileSync(file('requests', 'broken.test.pem'), 'broken');

  expect(await findings()).toEqual([
    'error: The file inventory.txt is missing',
    'error: The file serial is missing',
    "error: The file serial does not hold a serial number: ''",
    expect.stringMatching(/^warning: 0x0*\w+ \(revoked\.test\) is not in inventory\.txt/),
    expect.stringMatching(/^warning: 0x0*\w+ \(signed\.test\) is not in inventory\.txt/),
    expect.stringMatching(/^error: The file requests\/broken\.test\.pem cannot be read: /),
  ]);
});

test('a key that is not that of a certificate is found, and one that others can read', async () => {
  const { privateKey } = await createKeyPair(key);
  writeFileSync(file('ca_key.pem'), encodePrivateKey(privateKey), { mode: 0o644 });
  chmodSync(file('ca_key.pem'), 0o644);

  expect(await findings()).toEqual([
    'error: The key ca_key.pem can be read by everybody: chmod 600 ca_key.pem',
    'error: The key ca_key.pem belongs to no certificate in ca_crt.pem',
  ]);
});

test('certificates under another name, and those of another authority, are found', async () => {
  cpSync(file('signed', 'signed.test.pem'), file('signed', 'other.test.pem'));
  const own = readFileSync(file('ca_crt.pem'), 'utf8');
  writeFileSync(file('signed', 'foreign.test.pem'), own.slice(own.lastIndexOf('-----BEGIN')));

  expect(await findings()).toEqual([
    expect.stringMatching(/^warning: signed\/foreign\.test\.pem is a certificate for \/CN=Puppet Root CA: /),
    'warning: signed/foreign.test.pem was not signed by this authority',
    'warning: signed/other.test.pem is a certificate for /CN=signed.test',
  ]);
});

describe('the file serial', () => {
  test.each([
    ['xyz', "error: The file serial does not hold a serial number: 'xyz'"],
    ['0001', 'warning: The file serial says 0001, but 0x'],
  ])('that says %s is complained of', async (text, complaint) => {
    writeFileSync(file('serial'), text);

    expect((await findings()).map((each) => each.slice(0, complaint.length))).toEqual([complaint]);
  });
});

test('what ends soon is told half a year before, what has ended as an error', async () => {
  const soon = await findings(new Date(now.getTime() + 14.7 * yearMs));
  const over = await findings(new Date(now.getTime() + 20 * yearMs));

  expect(soon).toContainEqual(
    expect.stringMatching(
      /^warning: The certificate \/CN=Puppet CA: verify ends in \d+ days: bunraku ca extend$/,
    ),
  );
  expect(over.some((each) => each.startsWith('error: '))).toBe(true);
  expect(over.some((each) => each.includes('bunraku ca extend'))).toBe(false);
});
