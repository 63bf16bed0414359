/** The authority's own key and certificates. */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Certificate,
  commandSigner,
  decodeCertificates,
  decodePrivateKey,
  isCaExtensions,
  keyIdentifier,
  keySigner,
  readSubjectKeyId,
  type Signer,
} from '../../../platform/x509/index.ts';
import { chainOf } from '../chain.ts';
import { type CaDirectory, findFile } from '../directory/ca-directory.ts';
import type { SigningProcess } from '../signer/signing-process.ts';

export interface SigningIdentity {
  readonly signer: Signer;
  readonly certificate: Certificate;
  /** The signing certificate first, the root last, as PEM: what `certificate/ca` answers. */
  readonly bundle: string;
  readonly bundleModifiedAt: Date;
  readonly bundleCertificates: readonly Certificate[];
  /** The signing certificate and those above it, the root last. */
  readonly chain: readonly Certificate[];
  /** Key identifier that certificates and CRLs of this authority carry. */
  readonly keyId: Buffer;
}

/**
 * Reads key and bundle, and makes sure that they belong together.
 *
 * @param signingCommand - what signs where the key is not in the directory; empty when it is
 * @param signing - signs instead of this process
 * @throws ServiceError `conflict` saying what does not fit
 */
export async function loadSigningIdentity(
  directory: CaDirectory,
  signingCommand: readonly string[],
  signing?: SigningProcess,
): Promise<SigningIdentity> {
  const bundle = await findFile(directory.certificates);
  if (!bundle) throw new ServiceError('conflict', `There is no certificate authority in ${directory.path}`);
  const bundleCertificates = decodeCertificates(bundle.content);
  const signer = await loadSigner(directory, signingCommand, bundleCertificates, signing);
  const certificate = bundleCertificates.find(({ publicKeyInfo }) =>
    publicKeyInfo.equals(signer.publicKeyInfo),
  );
  if (!certificate) {
    throw new ServiceError(
      'conflict',
      `The key ${directory.privateKey} belongs to no certificate in ${directory.certificates}`,
    );
  }
  if (!isCaExtensions(certificate.extensions)) {
    throw new ServiceError(
      'conflict',
      `The certificate in ${directory.certificates} is not that of an authority`,
    );
  }
  return {
    signer,
    certificate,
    bundle: bundle.content,
    bundleModifiedAt: bundle.modifiedAt,
    bundleCertificates,
    chain: chainOf(certificate, bundleCertificates),
    // What it says of itself: an authority that somebody else signed may have any identifier.
    keyId: readSubjectKeyId(certificate.extensions) ?? keyIdentifier(certificate.publicKeyInfo),
  };
}

/** The key of a command is that of the bundle's first certificate, as everywhere the signing one. */
async function loadSigner(
  directory: CaDirectory,
  signingCommand: readonly string[],
  [first]: readonly Certificate[],
  signing: SigningProcess | undefined,
): Promise<Signer> {
  if (signing?.isElsewhere === true) return signerElsewhere(signing);
  if (signingCommand.length > 0 && first) return commandSigner(signingCommand, first.publicKeyInfo);
  const keyFile = await findFile(directory.privateKey);
  if (keyFile) {
    // Read even if another process signs: a damaged key is refused at the start, with its name.
    const signer = keySigner(decodePrivateKey(keyFile.content, directory.privateKey));
    return signing === undefined ? signer : signing.signer(signer);
  }
  throw new ServiceError(
    'conflict',
    `The key ${directory.privateKey} is missing; where it is kept elsewhere, ca_signing_command says how to use it`,
  );
}

/** The key cannot be read here, so that the process says which one it is. */
async function signerElsewhere(signing: SigningProcess): Promise<Signer> {
  const { algorithm, publicKeyInfo } = await signing.describe();
  return signing.signer({
    algorithm: Buffer.from(algorithm, 'base64'),
    publicKeyInfo: Buffer.from(publicKeyInfo, 'base64'),
  });
}
