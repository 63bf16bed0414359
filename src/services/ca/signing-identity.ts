/** The authority's own key and certificates. */

import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type Certificate,
  decodeCertificates,
  decodePrivateKey,
  encodePublicKeyInfo,
  isCaExtensions,
  keyIdentifier,
  readSubjectKeyId,
} from '../../platform/x509/index.ts';
import { type CaDirectory, findFile } from './ca-directory.ts';

export interface SigningIdentity {
  readonly key: KeyObject;
  readonly certificate: Certificate;
  /** The signing certificate first, the root last, as PEM: what `certificate/ca` answers. */
  readonly bundle: string;
  readonly bundleModifiedAt: Date;
  readonly bundleCertificates: readonly Certificate[];
  /** Key identifier that certificates and CRLs of this authority carry. */
  readonly keyId: Buffer;
}

/**
 * Reads key and bundle, and makes sure that they belong together.
 *
 * @throws ServiceError `conflict` saying what does not fit
 */
export async function loadSigningIdentity(directory: CaDirectory): Promise<SigningIdentity> {
  const bundle = await findFile(directory.certificates);
  const keyFile = await findFile(directory.privateKey);
  if (!bundle || !keyFile)
    throw new ServiceError('conflict', `There is no certificate authority in ${directory.path}`);
  const key = decodePrivateKey(keyFile.content);
  const bundleCertificates = decodeCertificates(bundle.content);
  const publicKeyInfo = encodePublicKeyInfo(createPublicKey(key));
  const certificate = bundleCertificates.find((candidate) => candidate.publicKeyInfo.equals(publicKeyInfo));
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
    key,
    certificate,
    bundle: bundle.content,
    bundleModifiedAt: bundle.modifiedAt,
    bundleCertificates,
    // What it says of itself: an authority that somebody else signed may have any identifier.
    keyId: readSubjectKeyId(certificate.extensions) ?? keyIdentifier(publicKeyInfo),
  };
}
