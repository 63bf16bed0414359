/** Files of the authority that were cut, emptied or overwritten. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../platform/log/index.ts';
import { createKeyPair, decodeRevocationLists, encodePublicKeyInfo } from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';

const base = mkdtempSync(join(tmpdir(), 'bunraku-damage-'));
afterAll(() => rmSync(base, { recursive: true }));
const key = { kind: 'ec', curve: 'P-256' } as const;
let count = 0;

/** An authority that has signed `a` and `b` and revoked `a`, closed, with its files. */
async function closedAuthority() {
  const caDir = join(base, `ca-${++count}`);
  const errors: string[] = [];
  const log: Logger = { ...silentLogger, error: (_, message) => void errors.push(message) };
  const settings = { ...defaultCaSettings, key, caName: 'Puppet CA: damage', caDir };
  const open = () => CertificateAuthority.open(settings, { log, now: () => new Date() });
  const ca = await open();
  const publicKeyInfo = encodePublicKeyInfo((await createKeyPair(key)).publicKey);
  for (const certname of ['a', 'b']) await ca.issue({ certname, publicKeyInfo });
  await ca.revoke(['a']);
  await ca.close();
  const fileIn = (name: string) => {
    const path = join(caDir, name);
    return {
      read: () => readFileSync(path, 'utf8'),
      write: (text: string) => writeFileSync(path, text),
    };
  };
  return { open, errors, fileIn };
}

describe('ca_crl.pem', () => {
  const damages: readonly (readonly [string, (pem: string) => string, string])[] = [
    ['cut within a list', (pem) => pem.slice(0, 200), "PEM: the block 'X509 CRL' has no end"],
    ['emptied', () => '', 'it has no CRL of this authority'],
    ['overwritten', () => '\0'.repeat(4096), 'it has no CRL of this authority'],
    [
      'without our list',
      (pem) => pem.slice(pem.lastIndexOf('-----BEGIN')),
      'it has no CRL of this authority',
    ],
    ['changed in a bit of its signature', changedSignature, 'the signature of the CRL'],
  ];

  test.each(damages)(
    'is not used when it was %s, and the error says where copies are',
    async (_, damage, message) => {
      const { fileIn, open } = await closedAuthority();
      const crl = fileIn('ca_crl.pem');
      const damaged = damage(crl.read());
      crl.write(damaged);

      await expect(open()).rejects.toThrow(message);
      await expect(open()).rejects.toThrow('Restore it from a backup, or from crl.pem in the ssldir');

      expect(crl.read()).toBe(damaged);
    },
  );

  test.each([
    ['infra_crl.pem', false, 'CRL of an authority above was missing: restored from infra_crl.pem'],
    [
      'the key of the root',
      true,
      'CRL of the root was missing: signed an empty one with the key of the root',
    ],
  ])('that was cut between its lists is completed from %s', async (_, isInfraLost, message) => {
    const { errors, fileIn, open } = await closedAuthority();
    const crl = fileIn('ca_crl.pem');
    crl.write(crl.read().slice(0, crl.read().lastIndexOf('-----BEGIN')));
    if (isInfraLost) fileIn('infra_crl.pem').write(crl.read());

    const ca = await open();

    expect(errors).toEqual([message]);
    expect(decodeRevocationLists(crl.read()).map(({ revokedSerials }) => revokedSerials.size)).toEqual([
      1, 0,
    ]);
    expect(ca.health.withoutList).toEqual([]);
    await ca.close();
  });

  test('that cannot be completed is told in log and status', async () => {
    const { errors, fileIn, open } = await closedAuthority();
    const pem = fileIn('ca_crl.pem').read();
    for (const name of ['ca_crl.pem', 'infra_crl.pem'])
      fileIn(name).write(pem.slice(0, pem.lastIndexOf('-----BEGIN')));
    fileIn('root_key.pem').write('');

    const ca = await open();

    expect(errors).toEqual(['CRL of an authority above is missing: agents refuse every server']);
    expect(ca.health.withoutList).toHaveLength(1);
    await ca.close();
  });
});

describe('inventory.txt', () => {
  test('that was emptied is made again from signed/, so that revoking by name works', async () => {
    const { errors, fileIn, open } = await closedAuthority();
    const inventory = fileIn('inventory.txt');
    const before = inventory.read();
    inventory.write('');

    const ca = await open();
    await ca.revoke(['b']);

    expect(inventory.read()).toBe(before);
    expect(ca.revokedCount).toBe(2);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('inventory lacked certificates');
    await ca.close();
  });

  test('of garbage is told, completed, and not told of where it is whole', async () => {
    const { errors, fileIn, open } = await closedAuthority();
    const inventory = fileIn('inventory.txt');
    await (await open()).close();
    expect(errors).toEqual([]);
    inventory.write(`${'\u{fffd}\0'.repeat(100)}\nsomething else\n`);

    await (await open()).close();

    expect(errors[0]).toBe('inventory has lines that cannot be read');
    expect(inventory.read()).toContain('/CN=a\n');
    expect(inventory.read()).toContain('/CN=b\n');
  });
});

/** The signature is at the end of the first block. */
function changedSignature(pem: string): string {
  const end = pem.indexOf('-----END');
  const body = Buffer.from(pem.slice(pem.indexOf('\n') + 1, end), 'base64');
  body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
  return `-----BEGIN X509 CRL-----\n${body.toString('base64')}\n${pem.slice(end)}`;
}
