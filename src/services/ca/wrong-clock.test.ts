/** A start with a clock that is years ahead, and the next one with the right time. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import {
  createKeyPair,
  decodeCertificates,
  decodeRevocationLists,
  encodePublicKeyInfo,
} from '../../platform/x509/index.ts';
import { CertificateAuthority } from './authority.ts';
import { defaultCaSettings } from './ca-settings.ts';
import { ensureServiceCertificate } from './issuance/server-certificate.ts';
import { extendAuthority } from './setup/extend-authority.ts';
import { termAlert } from './term.ts';

const base = mkdtempSync(join(tmpdir(), 'bunraku-clock-'));
afterAll(() => rmSync(base, { recursive: true }));
const key = { kind: 'ec', curve: 'P-256' } as const;
const today = new Date('2026-11-23T12:00:00Z');
/** The authority, which lives 15 years, is still valid then. */
const ahead = new Date('2036-11-23T12:00:00Z');
/** It has expired then. */
const farAhead = new Date('2046-11-23T12:00:00Z');
let count = 0;

function installation() {
  const directory = join(base, `${++count}`);
  const caDir = join(directory, 'ca');
  const logged: string[] = [];
  const note = (_: unknown, message: string) => {
    logged.push(message);
  };
  const log: Logger = { ...silentLogger, error: note, warn: note };
  const settings = { ...defaultCaSettings, key, caName: 'Puppet CA: clock', caDir };
  /** What a start does, and what is there afterwards. */
  const start = async (now: Date, work: (ca: CertificateAuthority) => Promise<void> = async () => {}) => {
    logged.length = 0;
    const ca = await CertificateAuthority.open(settings, { log, now: () => now });
    const request = { sslDir: join(directory, 'ssl'), certname: 'primary.test', altNames: '', key };
    const files = await ensureServiceCertificate(ca, 'server', request, now);
    await work(ca);
    await ca.maintain();
    await ca.close();
    const [certificate] = decodeCertificates(readFileSync(files.certificate, 'utf8'));
    const [own] = decodeRevocationLists(ca.crl.pem);
    return { certificate, own, ca, logged: [...logged] };
  };
  return { caDir, start };
}

async function issue(ca: CertificateAuthority, certname: string): Promise<void> {
  await ca.issue({ certname, publicKeyInfo: encodePublicKeyInfo((await createKeyPair(key)).publicKey) });
}

describe('After a start with a clock that was ahead', () => {
  test('the certificate of a port and the CRL are replaced, and nodes with such certificates are named', async () => {
    const { start } = installation();
    await start(today);
    const wrong = await start(ahead, (ca) => issue(ca, 'early'));
    expect(wrong.certificate?.notBefore.getUTCFullYear()).toBe(2036);
    expect(wrong.own?.thisUpdate.getUTCFullYear()).toBe(2036);

    const right = await start(today);

    expect(right.certificate?.notBefore.getTime()).toBeLessThan(today.getTime());
    expect(right.certificate?.publicKeyInfo).toEqual(wrong.certificate?.publicKeyInfo);
    expect(right.own?.thisUpdate.getTime()).toBeLessThan(today.getTime());
    expect(right.logged).toEqual([
      'certificates of nodes are not valid yet: clean them, the clock was wrong when they were signed',
    ]);
    expect((await start(today)).certificate?.serial).toBe(right.certificate?.serial);
  });

  test('nothing has changed when the authority had expired at that time, above all not the CRL', async () => {
    const { start } = installation();
    const before = await start(today, async (ca) => {
      await issue(ca, 'stolen');
      await ca.revoke(['stolen']);
    });

    const wrong = await start(farAhead);

    expect(wrong.certificate?.serial).toBe(before.certificate?.serial);
    expect(wrong.ca.crl.pem).toBe(before.ca.crl.pem);
    expect(wrong.own?.revokedSerials.size).toBe(1);
    expect(wrong.logged).toContain('certificate of the authority has expired');
    expect((await start(today)).logged).toEqual([]);
  });

  test('an authority that has expired signs nothing more', async () => {
    const { start } = installation();
    await start(today);

    await expect(start(farAhead, (ca) => issue(ca, 'late'))).rejects.toThrow(
      'Refusing to sign a certificate for late: the authority has ended at 2041-11-19T12:00:00.000Z',
    );
  });

  test('an authority that was made then says so, and is mended by extending it', async () => {
    const { caDir, start } = installation();
    await start(farAhead);

    const early = await start(today);
    await extendAuthority({ caDir, ttlSeconds: 15 * 365 * 86_400 }, today);
    const extended = await start(today);

    expect(early.logged).toContain(
      'certificate of the authority is not valid yet: the clock is or was wrong',
    );
    expect(extended.logged).toEqual([]);
    expect(extended.ca.health.certificates.map(({ startsAt }) => startsAt < today)).toEqual([true, true]);
    expect(extended.certificate?.notBefore.getTime()).toBeLessThan(today.getTime());
  });
});

test('a term is told in words that say whether it begins, ends or has ended', () => {
  const at = (startsAt: string, endsAt: string) =>
    termAlert(
      { kind: 'certificate', name: 'Puppet CA', startsAt: new Date(startsAt), endsAt: new Date(endsAt) },
      today,
      180 * 86_400_000,
    );

  expect(at('2020-01-01', '2040-01-01')).toBeUndefined();
  expect(at('2020-01-01', '2026-12-23')).toEqual({
    severity: 'warning',
    message: 'The certificate of Puppet CA ends in 29 days',
  });
  expect(at('2020-01-01', '2026-11-13')).toEqual({
    severity: 'error',
    message: 'The certificate of Puppet CA ended on 2026-11-13T00:00:00.000Z, 10 days ago',
  });
  expect(at('2046-01-01', '2060-01-01')?.message).toContain('is not valid before 2046-01-01T00:00:00.000Z');
});
