/** Certificates of the primary, as a node and for its ports: made from the authority beside it, in the files of an agent. */

import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../lib/atomic-file.ts';
import { makeDirectory } from '../../../lib/make-directory.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Logger, silentLogger } from '../../../platform/log/index.ts';
import {
  type Certificate,
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
  type SslFiles,
  sslFiles,
  subjectAltName,
  X509Error,
} from '../../../platform/x509/index.ts';
import type { CertificateAuthority } from '../authority.ts';
import { findFile, privateMode, publicMode } from '../directory/ca-directory.ts';
import type { CertificateOrder } from './orders.ts';

export interface ServerCertificateRequest {
  /** `ssldir`: `certs/`, `private_keys/`, `public_keys/` and `crl.pem` are below it. */
  readonly sslDir: string;
  readonly certname: string;
  /** `dns_alt_names`; `puppet` when empty, as the reference does. */
  readonly altNames: string;
  readonly key: KeySpec;
  /** Is told of damaged files that are replaced. */
  readonly log?: Logger;
}

/** The name of a service's certificate; no host has one that begins like this, so it cannot be a node's. */
export function serviceCertname(service: string, certname: string): string {
  return `_${service}.${certname}`;
}

/**
 * Makes sure that the node of the authority has a key and a certificate with the right to use the administrative
 * API. What is there and fits is kept; a key without a certificate is used; a certificate that ends soon or is not valid yet is replaced by
 * one for the same key, one that was revoked by one for a new key.
 *
 * The authority's certificates and its CRL are copied each time: they may have changed.
 */
export async function ensureServerCertificate(
  ca: CertificateAuthority,
  request: ServerCertificateRequest,
  now: Date,
): Promise<SslFiles> {
  const altNames = request.altNames.trim() === '' ? 'puppet' : request.altNames;
  return ensureCertificate(ca, request, { certname: request.certname, altNames, isCaClient: true }, now);
}

/**
 * The same for what a service of the node shows to its clients: a certificate of its own, which stays when the node's
 * is revoked and may be revoked alone.
 *
 * @param service - `server`, `puppetdb`
 */
export async function ensureServiceCertificate(
  ca: CertificateAuthority,
  service: string,
  request: ServerCertificateRequest,
  now: Date,
): Promise<SslFiles> {
  const names = request.altNames.trim() === '' ? 'puppet' : request.altNames;
  const order = {
    certname: serviceCertname(service, request.certname),
    altNames: `${request.certname},${names}`,
    isService: true,
  };
  return ensureCertificate(ca, request, order, now);
}

type Order = Omit<CertificateOrder, 'publicKeyInfo'> & { readonly altNames: string };

async function ensureCertificate(
  ca: CertificateAuthority,
  { key, log = silentLogger, sslDir }: ServerCertificateRequest,
  order: Order,
  now: Date,
): Promise<SslFiles> {
  const files = sslFiles(sslDir, order.certname);
  await makeDirectory(join(sslDir, 'certs'), 0o755);
  await makeDirectory(join(sslDir, 'public_keys'), 0o755);
  await makeDirectory(join(sslDir, 'private_keys'), 0o750);
  await writeFileAtomically(files.ca, ca.bundle, publicMode);
  await writeFileAtomically(files.crl, ca.crl.pem, publicMode);
  const present = await readCertificate(files.certificate, log);
  const isRevoked = present !== undefined && ca.isRevoked(present.serial);
  const known = isRevoked ? undefined : await readKey(files, order, log);
  const publicKeyInfo = known ?? (await createKey(files, key));
  if (
    present?.publicKeyInfo.equals(publicKeyInfo) &&
    ca.hasSigned(present) &&
    hasNames(present, order.altNames) &&
    // What an expired authority signs is no better than what is there; with a wrong clock it is worse.
    (!ca.health.isCurrent || (now < present.notAfter && !isDueForRenewal(present, now)))
  )
    return files;
  const certificate = await ca.issue({ ...order, publicKeyInfo });
  await writeFileAtomically(files.certificate, encodeCertificate(certificate), publicMode);
  return files;
}

/** A damaged certificate is as good as none: the authority is here to sign another one for the same key. */
async function readCertificate(path: string, log: Logger): Promise<Certificate | undefined> {
  const file = await findFile(path);
  if (!file) return undefined;
  try {
    const [certificate] = decodeCertificates(file.content);
    if (certificate) return certificate;
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
  }
  log.error({ file: path }, 'own certificate was damaged: replacing it');
  return undefined;
}

/**
 * @returns SubjectPublicKeyInfo of the key that is there; `undefined` when a new one is to be made, also for a port whose
 *   key is damaged
 * @throws ServiceError `conflict` for a damaged key of the node: its agent has it, perhaps under a passphrase
 */
async function readKey(
  { certificate, privateKey }: SslFiles,
  { isService }: Order,
  log: Logger,
): Promise<Buffer | undefined> {
  const existing = await findFile(privateKey);
  if (!existing) return undefined;
  try {
    return encodePublicKeyInfo(createPublicKey(decodePrivateKey(existing.content, privateKey)));
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    if (isService !== true)
      throw new ServiceError(
        'conflict',
        `${error.message}: it is damaged, or protected by a passphrase. Restore it, or remove it and ${certificate} ` +
          'to have new ones made at the next start',
        { cause: error },
      );
  }
  log.error({ file: privateKey }, 'key of a port was damaged: replacing it and its certificate');
  return undefined;
}

async function createKey(files: SslFiles, spec: KeySpec): Promise<Buffer> {
  const { privateKey, publicKey } = await createKeyPair(spec);
  await writeFileAtomically(files.privateKey, encodePrivateKey(privateKey), privateMode);
  await writeFileAtomically(files.publicKey, encodePublicKey(publicKey), publicMode);
  return encodePublicKeyInfo(publicKey);
}

function hasNames(certificate: Certificate, altNames: string): boolean {
  const names = readSubjectAltNames(certificate.extensions).map(renderAltName);
  // Through DER, so that an IP address is compared in one spelling.
  const demanded = readSubjectAltNames([subjectAltName(parseAltNames(altNames))]).map(renderAltName);
  return demanded.every((name) => names.includes(name));
}
