/** Requests that no agent sends, but that any client can make. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodeCertificates,
  decodePrivateKey,
  encodeCertificateRequest,
  encodePem,
  keySigner,
  signCertificate,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';

const base = mkdtempSync(join(tmpdir(), 'bunraku-requests-'));
afterAll(() => rmSync(base, { recursive: true }));
const ecKey = { kind: 'ec', curve: 'P-256' } as const;
let count = 0;

async function openAuthority(
  log: Logger = silentLogger,
): Promise<{ ca: CertificateAuthority; caDir: string }> {
  const caDir = join(base, `ca-${++count}`);
  const settings = { ...defaultCaSettings, key: ecKey, caName: 'Puppet CA: test', autosign: true };
  const clock = { log, now: () => new Date() };
  return {
    ca: await CertificateAuthority.open({ ...settings, allowAutoRenewal: true, caDir }, clock),
    caDir,
  };
}

async function requestFor(certname: string) {
  return createCertificateRequest({ certname }, await createKeyPair(ecKey));
}

describe('A request', () => {
  test('may have the longest name that Puppet Server takes', async () => {
    const { ca } = await openAuthority();
    const certname = `${'a'.repeat(238)}.example.net`;
    expect(certname).toHaveLength(250);

    const outcome = await ca.submitRequest(certname, encodeCertificateRequest(await requestFor(certname)));

    expect(outcome).toBe('signed');
    expect((await ca.findStatus(certname))?.state).toBe('signed');
    await ca.close();
  });

  test('cannot make an extension critical, neither can a certificate that is renewed', async () => {
    const { ca, caDir } = await openAuthority();
    const csr = join(base, 'critical.csr');
    const role = '1.3.6.1.4.1.34380.1.1.13=critical,ASN1:UTF8String:web';
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', '/dev/null'];
    openssl('req', '-new', ...newKey, '-subj', '/CN=critical', '-addext', role, '-out', csr);

    await ca.submitRequest('critical', readFileSync(csr, 'utf8'));

    const verify = () =>
      openssl('verify', '-CAfile', join(caDir, 'ca_crt.pem'), join(caDir, 'signed', 'critical.pem'));
    expect(verify()).toContain(': OK');
    const [signed] = decodeCertificates((await ca.findCertificate('critical'))?.content ?? '');
    const roleOf = (certificate: typeof signed) =>
      certificate?.extensions.find(({ oid }) => oid === '1.3.6.1.4.1.34380.1.1.13');
    expect(roleOf(signed)).toMatchObject({ critical: false });
    const key = decodePrivateKey(readFileSync(join(caDir, 'ca_key.pem'), 'utf8'));
    const extensions = signed?.extensions.map((extension) => ({ ...extension, critical: true })) ?? [];
    const older =
      signed && (await signCertificate({ ...signed, serial: '77', extensions }, keySigner(key), () => {}));
    const renewed = await ca.renew(older?.raw ?? Buffer.alloc(0));
    expect(roleOf(older)).toMatchObject({ critical: true });
    expect(roleOf(renewed)).toEqual(roleOf(signed));
    await ca.close();
  });

  test.each([
    ['alternative names', { altNames: 'puppet' }, '--allow-dns-alt-names'],
    ['rights', { extensions: { pp_auth_role: 'x' } }, '--allow-authorization-extensions'],
  ])('for %s is kept, and the log says why and what to do', async (_, content, flag) => {
    const warned: unknown[] = [];
    const { ca } = await openAuthority({ ...silentLogger, warn: (fields) => void warned.push(fields) });
    const request = await createCertificateRequest(
      { certname: 'held', ...content },
      await createKeyPair(ecKey),
    );

    await expect(ca.submitRequest('held', encodeCertificateRequest(request))).rejects.toThrow('disallowed');

    expect(warned).toEqual([
      {
        certname: 'held',
        reason: expect.stringContaining('which'),
        remedies: expect.arrayContaining([expect.stringContaining(flag)]),
      },
    ]);
    await ca.close();
  });

  test('of a version that does not exist is refused', async () => {
    const { ca } = await openAuthority();
    const { raw } = await requestFor('later');
    const version = raw.indexOf(Buffer.from([0x02, 0x01, 0x00]));
    const later = Buffer.from(raw);
    later[version + 2] = 4;

    await expect(ca.submitRequest('later', encodePem('CERTIFICATE REQUEST', later))).rejects.toMatchObject({
      reason: 'bad-request',
      message: 'Could not read the certificate request: The request has the version 4, not 0',
    });
    await ca.close();
  });
});

function openssl(...args: readonly string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
