/**
 * Gives an authority whose certificates near their end a longer life, under the same keys, names and serial numbers:
 * what it has signed stays valid, also where certificates name their issuer's serial number.
 */

import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../../lib/atomic-file.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Certificate,
  decodeCertificates,
  decodePrivateKey,
  encodeCertificate,
  keySigner,
  renderName,
  type Signer,
  signCertificate,
} from '../../../platform/x509/index.ts';
import { isSelfSigned } from '../chain.ts';
import { CaDirectory, findFile, publicMode } from '../directory/ca-directory.ts';
import { lockCaDirectory } from '../directory/ca-lock.ts';
import { lintAuthorityCertificate } from '../issuance/lint.ts';
import { loadSigningIdentity } from '../issuance/signing-identity.ts';
import { type Validity, validityFrom } from '../validity.ts';

export interface Extension {
  readonly caDir: string;
  readonly ttlSeconds: number;
  readonly signingCommand?: readonly string[];
  /** PEM of the root's key where it is not in the directory. */
  readonly rootKey?: string;
}

/**
 * @returns the names whose certificates were replaced
 * @throws ServiceError `conflict` when a key that is needed is not at hand
 */
export async function extendAuthority(
  { caDir, rootKey, signingCommand = [], ttlSeconds }: Extension,
  now: Date,
): Promise<readonly string[]> {
  const directory = new CaDirectory(caDir);
  const lock = lockCaDirectory(directory.lock);
  try {
    const { bundleCertificates, chain, signer } = await loadSigningIdentity(directory, signingCommand);
    const signers = [signer, ...(await rootSigners(directory, rootKey))];
    const extended = await Promise.all(
      chain.map((one) => extend(one, chain, signers, validityFrom(now, ttlSeconds))),
    );
    const rest = bundleCertificates.filter((one) => !chain.includes(one));
    const pem = [...extended, ...rest].map(encodeCertificate).join('');
    await writeFileAtomically(
      `${directory.certificates}.before-extension`,
      await readFile(directory.certificates),
      publicMode,
    );
    await writeFileAtomically(directory.certificates, pem, publicMode);
    return extended.filter((one, index) => one !== chain[index]).map(({ subject }) => renderName(subject));
  } finally {
    lock.release();
  }
}

async function rootSigners(directory: CaDirectory, rootKey: string | undefined): Promise<readonly Signer[]> {
  const pem = rootKey ?? (await findFile(directory.rootKey))?.content;
  return pem === undefined ? [] : [keySigner(decodePrivateKey(pem))];
}

/** Certificates of a company's authorities above ours stay as they are; ours needs its issuer's key. */
async function extend(
  certificate: Certificate,
  chain: readonly Certificate[],
  signers: readonly Signer[],
  validity: Validity,
): Promise<Certificate> {
  const issuer = isSelfSigned(certificate)
    ? certificate
    : chain.find(({ subject }) => subject.raw.equals(certificate.issuer.raw));
  const signer = issuer && signers.find(({ publicKeyInfo }) => publicKeyInfo.equals(issuer.publicKeyInfo));
  if (!signer) {
    if (certificate !== chain[0]) return certificate;
    throw new ServiceError(
      'conflict',
      `The key of ${renderName(certificate.issuer)}, which has signed ${renderName(certificate.subject)}, is not ` +
        'here: have it sign the certificate anew with the same key, and import that',
    );
  }
  const { extensions, issuer: issuerName, publicKeyInfo, serial, subject } = certificate;
  // Later than that when the clock was wrong while the authority was made.
  const notBefore = certificate.notBefore < validity.notBefore ? certificate.notBefore : validity.notBefore;
  const { notAfter } = validity;
  const [renewed] = decodeCertificates(
    encodeCertificate(
      await signCertificate(
        { serial, subject, issuer: issuerName, publicKeyInfo, extensions, notBefore, notAfter },
        signer,
        lintAuthorityCertificate,
      ),
    ),
  );
  if (!renewed) throw new Error('unreachable: one certificate was encoded');
  return renewed;
}
