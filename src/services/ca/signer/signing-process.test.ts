import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import {
  basicConstraints,
  type Certificate,
  cliAuthOid,
  commonNameOnly,
  createKeyPair,
  decodeCertificates,
  type Extension,
  encodePublicKeyInfo,
  isSignedBy,
  puppetExtension,
  type Signer,
  signCertificate,
  signRevocationList,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { defaultCaSettings } from '../ca-settings.ts';
import { SigningProcess } from './signing-process.ts';

const key = { kind: 'ec', curve: 'P-256' } as const;
const workerUrl = new URL('signer-worker.ts', import.meta.url);
let base: string;
let caDir: string;
let ca: CertificateAuthority;
let signing: SigningProcess;
let publicKeyInfo: Buffer;

const options = () => ({ caDir, workerUrl, environment: process.env, log: silentLogger });

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-signing-'));
  caDir = join(base, 'ca');
  signing = new SigningProcess(options());
  ca = await openCa(signing);
  publicKeyInfo = encodePublicKeyInfo((await createKeyPair(key)).publicKey);
});

afterEach(async () => {
  await ca.close();
  signing.close();
  rmSync(base, { recursive: true, force: true });
});

function openCa(process_: SigningProcess): Promise<CertificateAuthority> {
  const settings = { ...defaultCaSettings, key, caName: 'Puppet CA: test', caDir };
  return CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date(), signing: process_ });
}

test('another process signs certificates and lists of revoked ones', async () => {
  const certificate = await ca.issue({ certname: 'agent', publicKeyInfo });
  await ca.revoke(['agent']);

  expect(isSignedBy(certificate, authority().publicKeyInfo)).toBe(true);
  expect(ca.isRevoked(certificate.serial)).toBe(true);
  expect((await signing.describe()).pid).not.toBe(process.pid);
});

test('one that was killed is started again, and what it was asked fails with the reason', async () => {
  const { pid } = await signing.describe();
  process.kill(pid, 'SIGSTOP');
  const inFlight = ca.issue({ certname: 'first', publicKeyInfo });
  inFlight.catch(() => {});
  await vi.waitFor(() => expect(signing.pending).toBe(1));
  process.kill(pid, 'SIGKILL');

  await expect(inFlight).rejects.toThrow('ended while it signed. Nothing was signed: try again');
  expect(ca.hasSigned(await ca.issue({ certname: 'first', publicKeyInfo }))).toBe(true);
  expect((await signing.describe()).pid).not.toBe(pid);
  expect(signing.restarts).toBe(1);
});

test('renews certificates', async () => {
  const old = await ca.issue({ certname: 'agent', publicKeyInfo, extensions: { pp_role: 'web' } });
  const renewed = await ca.renew(old.raw, true);

  expect(renewed.serial).not.toBe(old.serial);
  expect(isSignedBy(renewed, authority().publicKeyInfo)).toBe(true);
});

function authority(): Certificate {
  const [first] = decodeCertificates(ca.bundle);
  if (!first) throw new Error('the authority has a certificate');
  return first;
}

describe('Whatever the server says, the process refuses', () => {
  /** A signer of a server that checks nothing. */
  async function signer(): Promise<Signer> {
    const { algorithm, publicKeyInfo: own } = await signing.describe();
    return signing.signer({
      algorithm: Buffer.from(algorithm, 'base64'),
      publicKeyInfo: Buffer.from(own, 'base64'),
    });
  }

  async function signWith(change: (extensions: readonly Extension[]) => Extension[], isRenewal = false) {
    const good = await ca.issue({ certname: 'good', publicKeyInfo });
    const own = await signer();
    const passed = { ...own, sign: (data: Buffer) => own.sign(data, isRenewal ? good.raw : undefined) };
    return signCertificate({ ...good, extensions: change(good.extensions) }, passed, () => {});
  }

  test('the certificate of an authority', async () => {
    const asCa = (extensions: readonly Extension[]) => [
      ...extensions.filter(({ oid }) => oid !== basicConstraints(true).oid),
      basicConstraints(true),
    ];
    await expect(signWith(asCa)).rejects.toThrow(
      /Refusing to sign a certificate for good: .*basicConstraints/,
    );
  });

  test('more rights by renewing', async () => {
    const more = (extensions: readonly Extension[]) => [...extensions, puppetExtension(cliAuthOid, 'true')];
    await expect(signWith(more, true)).rejects.toThrow('with other names, rights or keys');
  });

  test('lists of other authorities, and what is neither', async () => {
    const list = {
      issuer: commonNameOnly('another'),
      thisUpdate: new Date(),
      nextUpdate: new Date(Date.now() + 1000),
      number: 1n,
      authorityKeyId: Buffer.alloc(20),
    };
    await expect(signRevocationList(list, await signer())).rejects.toThrow('a CRL of another authority');
    await expect((await signer()).sign(Buffer.from('anything'))).rejects.toThrow();
    await expect((await signer()).sign(Buffer.alloc(0))).rejects.toThrow();
  });
});
