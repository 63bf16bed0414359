import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import {
  createKeyPair,
  decodePrivateKey,
  decodeRevocationLists,
  encodeRevocationList,
  keySigner,
  type RevocationList,
  type Signer,
  signRevocationList,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';

const dayMs = 86_400_000;
const key = { kind: 'ec', curve: 'P-256' } as const;
let base: string;
let ca: CertificateAuthority;
let rootKey: Signer;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-crl-update-'));
  const settings = { ...defaultCaSettings, key, caDir: base, caName: 'Puppet CA: test' };
  ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });
  rootKey = keySigner(decodePrivateKey(await readFile(join(base, 'root_key.pem'), 'utf8')));
});

afterAll(async () => {
  await ca.close();
  await rm(base, { recursive: true });
});

function current(): { readonly own: RevocationList; readonly root: RevocationList } {
  const [own, root] = decodeRevocationLists(ca.crl.pem);
  if (!own || !root) throw new Error('two lists');
  return { own, root };
}

/** The root's next list, as its owner would publish it. */
async function rootList(
  number: bigint,
  changes: { nextUpdate?: Date; revoked?: string; signer?: Signer } = {},
) {
  const { root } = current();
  const revokedAt = new Date();
  const content = {
    issuer: root.issuer,
    thisUpdate: root.thisUpdate,
    nextUpdate: changes.nextUpdate ?? new Date(Date.now() + 300 * dayMs),
    number,
    authorityKeyId: root.authorityKeyId ?? Buffer.alloc(0),
    added: [{ serial: changes.revoked ?? 'ABCDEF', revokedAt, reason: 0 }],
  };
  return encodeRevocationList(await signRevocationList(content, changes.signer ?? rootKey));
}

test('newer lists of the authorities above are taken, on the disk too, and listeners are told', async () => {
  const told: string[] = [];
  const forget = ca.onCrlChange(({ etag }) => told.push(etag));

  await ca.updateCrls(await rootList(5n));

  expect(current().root.number).toBe(5n);
  expect(current().root.revokedSerials.has('ABCDEF')).toBe(true);
  expect(await readFile(join(base, 'ca_crl.pem'), 'utf8')).toBe(ca.crl.pem);
  expect(await readFile(join(base, 'infra_crl.pem'), 'utf8')).toBe(ca.crl.pem);
  expect(told).toEqual([ca.crl.etag]);
  forget();
});

test('older ones are passed over, and our own is never replaced', async () => {
  await ca.updateCrls(await rootList(6n));
  const before = ca.crl.pem;

  await ca.updateCrls((await rootList(3n)) + encodeRevocationList(current().own));

  expect(ca.crl.pem).toBe(before);
});

test.each([
  ['nothing', async () => '', 'No valid CRLs submitted.'],
  [
    'nonsense',
    async () => '-----BEGIN X509 CRL-----\nAA==\n-----END X509 CRL-----',
    'Invalid certs and/or CRLs: DER',
  ],
  [
    'two of one number',
    async () => (await rootList(9n)) + (await rootList(9n, { revoked: '77' })),
    'Could not determine newest CRL.',
  ],
  ['one that is over', () => rootList(9n, { nextUpdate: new Date(Date.now() - dayMs) }), 'has expired'],
  ['one that revokes us', () => rootList(9n, { revoked: '2' }), '/CN=Puppet CA: test is revoked'],
  [
    'one by another key',
    async () => rootList(9n, { signer: keySigner((await createKeyPair(key)).privateKey) }),
    'is not signed by an authority of the chain',
  ],
])('%s is refused in words', async (_, make, message) => {
  const before = ca.crl.pem;

  await expect(ca.updateCrls(await make())).rejects.toThrow(message);

  expect(ca.crl.pem).toBe(before);
});
