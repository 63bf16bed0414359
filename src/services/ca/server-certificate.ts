/** The primary's own certificate: made from the authority beside it, in the files that an agent would have. */

import { createPublicKey } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import {
  createKeyPair,
  decodeCertificates,
  decodePrivateKey,
  encodeCertificate,
  encodePrivateKey,
  encodePublicKey,
  encodePublicKeyInfo,
  isDueForRenewal,
  type KeySpec,
  parseAltNames,
  readSubjectAltNames,
  renderAltName,
  subjectAltName,
} from '../../platform/x509/index.ts';
import type { CertificateAuthority } from './authority.ts';
import { findFile, privateMode, publicMode } from './ca-directory.ts';

export interface ServerCertificateRequest {
  /** `ssldir`: `certs/`, `private_keys/`, `public_keys/` and `crl.pem` are below it. */
  readonly sslDir: string;
  readonly certname: string;
  /** `dns_alt_names`; `puppet` when empty, as the reference does. */
  readonly altNames: string;
  readonly key: KeySpec;
}

export interface ServerCertificateFiles {
  readonly certificate: string;
  readonly privateKey: string;
  readonly publicKey: string;
  readonly caCertificates: string;
  readonly revocationLists: string;
}

/** Where the files of a node are below its `ssldir`. */
export function serverCertificateFiles(sslDir: string, certname: string): ServerCertificateFiles {
  return {
    certificate: join(sslDir, 'certs', `${certname}.pem`),
    privateKey: join(sslDir, 'private_keys', `${certname}.pem`),
    publicKey: join(sslDir, 'public_keys', `${certname}.pem`),
    caCertificates: join(sslDir, 'certs', 'ca.pem'),
    revocationLists: join(sslDir, 'crl.pem'),
  };
}

/**
 * Makes sure that the node of the authority has a key and a certificate with the right to use the administrative
 * API. What is there and fits is kept; a key without a certificate is used; a certificate that ends soon is replaced by
 * one for the same key.
 *
 * The authority's certificates and its CRL are copied each time: they may have changed.
 */
export async function ensureServerCertificate(
  ca: CertificateAuthority,
  request: ServerCertificateRequest,
  now: Date,
): Promise<ServerCertificateFiles> {
  const files = serverCertificateFiles(request.sslDir, request.certname);
  await mkdir(join(request.sslDir, 'certs'), { recursive: true, mode: 0o755 });
  await mkdir(join(request.sslDir, 'public_keys'), { recursive: true, mode: 0o755 });
  await mkdir(join(request.sslDir, 'private_keys'), { recursive: true, mode: 0o750 });
  await writeFileAtomically(files.caCertificates, ca.bundle, publicMode);
  await writeFileAtomically(files.revocationLists, ca.crl.pem, publicMode);
  const publicKeyInfo = await ensureKey(files, request.key);
  const altNames = request.altNames.trim() === '' ? 'puppet' : request.altNames;
  if (await hasCertificate(ca, files, { publicKeyInfo, altNames, now })) return files;
  const certificate = await ca.issue({
    certname: request.certname,
    publicKeyInfo,
    altNames,
    isCaClient: true,
  });
  await writeFileAtomically(files.certificate, encodeCertificate(certificate), publicMode);
  return files;
}

/** @returns SubjectPublicKeyInfo of the key that is there, or of a new one */
async function ensureKey(files: ServerCertificateFiles, spec: KeySpec): Promise<Buffer> {
  const existing = await findFile(files.privateKey);
  if (existing) return encodePublicKeyInfo(createPublicKey(decodePrivateKey(existing.content)));
  const { privateKey, publicKey } = await createKeyPair(spec);
  await writeFileAtomically(files.privateKey, encodePrivateKey(privateKey), privateMode);
  await writeFileAtomically(files.publicKey, encodePublicKey(publicKey), publicMode);
  return encodePublicKeyInfo(publicKey);
}

/** True when the certificate is for that key and these names, and valid for long enough. */
async function hasCertificate(
  ca: CertificateAuthority,
  files: ServerCertificateFiles,
  wanted: { readonly publicKeyInfo: Buffer; readonly altNames: string; readonly now: Date },
): Promise<boolean> {
  const { altNames, now, publicKeyInfo } = wanted;
  const file = await findFile(files.certificate);
  const certificate = file && decodeCertificates(file.content)[0];
  if (!certificate?.publicKeyInfo.equals(publicKeyInfo) || !ca.isValid(certificate)) return false;
  if (isDueForRenewal(certificate, now)) return false;
  const names = readSubjectAltNames(certificate.extensions).map(renderAltName);
  // Through DER, so that an IP address is compared in one spelling.
  const demanded = readSubjectAltNames([subjectAltName(parseAltNames(altNames))]).map(renderAltName);
  return demanded.every((name) => names.includes(name));
}
