/** Gets a certificate from the primary, waiting for as long as it takes to be signed. */

import { createHash, X509Certificate } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { makeDirectory } from '../../lib/make-directory.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type ClientResponse, HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  createCertificateRequest,
  decodeCertificates,
  decodeRevocationLists,
  encodeCertificateRequest,
  encodePublicKeyInfo,
  fingerprint,
  type KeyPair,
  type KeySpec,
  oids,
  parseCertificateRequest,
  type SslFiles,
  sslFiles,
} from '../../platform/x509/index.ts';
import { checkHeldRequest } from './held-request.ts';
import { ensureKey, readKey } from './shared-key.ts';

/** @param client - trusts the CA */
export type ProveIdentity = (
  bonds: { readonly caFingerprint: string; readonly keyDigest: string },
  client: HttpClient,
) => Promise<string>;

export interface ObtainOptions {
  readonly sslDir: string;
  readonly certname: string;
  /** `DNS:a.example.net, IP:10.0.0.1`; a name without a prefix is a DNS name. */
  readonly altNames?: string;
  /** By short name or OID. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** Custom attributes of the request, by short name or OID. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Goes along as the request's `challengePassword`: what a primary signs without a person for. */
  readonly challengePassword?: string;
  /** Makes such a secret for a key, by a proof of who this machine is; asked when the request is sent. */
  readonly prove?: ProveIdentity;
  /** Begin anew, with a new key, when the certificate that there is has been revoked. */
  readonly replacesRevoked?: boolean;
  readonly key: KeySpec;
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  /**
   * SHA-256 of the CA's first certificate, hexadecimal, with or without colons. Without it the CA that answers first
   * is believed, as agents do.
   */
  readonly caFingerprint?: string;
  /** Between two questions whether the request has been signed. */
  readonly pollIntervalMs: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Makes sure that there are key, certificate, CA and CRL.
 *
 * @returns where they are
 * @throws ServiceError `forbidden` when the CA is another one than expected, `conflict` when the CA has a
 * certificate of this name that belongs to another key
 */
export async function obtainNodeCertificate(options: ObtainOptions): Promise<SslFiles> {
  const files = sslFiles(options.sslDir, options.certname);
  await makeDirectories(options.sslDir, files);
  await ensureAuthority(options, files);
  const client = new HttpClient({ ca: await readFile(files.ca, 'utf8') });
  try {
    await refreshCrl(options, files, client);
    if (options.replacesRevoked === true) await dropRevoked(options, files);
    if ((await ifThere(readFile(files.certificate, 'utf8'))) === undefined)
      await ensureCertificate(options, files, client);
  } finally {
    client.close();
  }
  return files;
}

/** As agents make them: who may not read the key need not know the names of keys either. */
async function makeDirectories(sslDir: string, { privateKey, ...others }: SslFiles): Promise<void> {
  await makeDirectory(sslDir, 0o755);
  await makeDirectory(dirname(privateKey), 0o750);
  for (const file of Object.values(others)) await makeDirectory(dirname(file), 0o755);
}

/** Downloads the authority's certificates, once, over a connection that only they can prove. */
async function ensureAuthority(options: ObtainOptions, files: SslFiles): Promise<void> {
  const present = await ifThere(readFile(files.ca, 'utf8'));
  if (present !== undefined) return checkFingerprint(options, present, files.ca);
  const client = new HttpClient({});
  try {
    const answer = await patiently(options, () => get(options, client, 'certificate/ca'));
    const pem = answer.body.toString('utf8');
    checkFingerprint(options, pem, options.primaryUrl);
    options.log.info(
      { fingerprint: fingerprintOf(pem), isVerified: options.caFingerprint !== undefined },
      'downloaded certificate of the CA',
    );
    await writeFileAtomically(files.ca, pem);
  } finally {
    client.close();
  }
}

/** @param place - a URL or a file, for the message */
function checkFingerprint({ caFingerprint }: ObtainOptions, pem: string, place: string): void {
  const actual = fingerprintOf(pem);
  const expected = caFingerprint?.replaceAll(':', '').toLowerCase();
  if (expected !== undefined && expected !== actual)
    throw new ServiceError(
      'forbidden',
      `The CA at ${place} has the fingerprint ${actual}, not ${expected}: it is not the one to trust`,
    );
}

function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}

async function refreshCrl(options: ObtainOptions, files: SslFiles, client: HttpClient): Promise<void> {
  if (options.replacesRevoked !== true && (await ifThere(readFile(files.crl, 'utf8'))) !== undefined) return;
  const answer = await patiently(options, () => get(options, client, 'certificate_revocation_list/ca'));
  await writeFileAtomically(files.crl, answer.body);
}

/** A server that left and comes back. */
async function dropRevoked({ certname, log }: ObtainOptions, files: SslFiles): Promise<void> {
  const pem = await ifThere(readFile(files.certificate, 'utf8'));
  if (pem === undefined) return;
  const [certificate] = decodeCertificates(pem);
  const lists = decodeRevocationLists(await readFile(files.crl, 'utf8'));
  const isRevoked = lists.some(
    ({ issuer, revokedSerials }) =>
      certificate !== undefined &&
      issuer.raw.equals(certificate.issuer.raw) &&
      revokedSerials.has(certificate.serial),
  );
  if (!isRevoked) return;
  log.info({ certname }, 'dropping the revoked certificate and its key');
  await removeIdentity(files);
}

/** Removes key, certificate and request: what is left knows the CA, and begins anew. */
export async function removeIdentity(files: SslFiles): Promise<void> {
  for (const file of [files.certificate, files.request, files.publicKey, files.privateKey])
    await rm(file, { force: true });
}

async function ensureCertificate(options: ObtainOptions, files: SslFiles, client: HttpClient): Promise<void> {
  const keys = await ensureKey(options, files);
  let isWaiting = false;
  for (;;) {
    const known = await patiently(options, () =>
      get(options, client, `certificate/${options.certname}`, [404]),
    );
    const certificate = known.status === 200 ? known.body.toString('utf8') : undefined;
    // Of this machine before it lost its key: a proof may replace it.
    const isReplaced =
      !isWaiting && options.prove !== undefined && certificate !== undefined && !isFor(certificate, keys);
    if (certificate !== undefined && !isReplaced) return acceptCertificate(options, files, certificate);
    if (!isWaiting) {
      isWaiting = await submit({ options, files, client, keys });
      continue;
    }
    options.log.info(
      { certname: options.certname, fingerprint: await requestFingerprint(files) },
      'waiting for the certificate to be signed',
    );
    await sleep(options.pollIntervalMs, undefined, { signal: options.signal });
  }
}

/** A node that asks for its certificate. */
interface Enrolment {
  readonly options: ObtainOptions;
  readonly files: SslFiles;
  readonly client: HttpClient;
  readonly keys: KeyPair;
}

/** @returns whether the CA has a request now, this one or an earlier one */
async function submit(enrolment: Enrolment): Promise<boolean> {
  const { client, files, keys, options } = enrolment;
  const challengePassword = options.challengePassword ?? (await proved(enrolment));
  const request = encodeCertificateRequest(
    await createCertificateRequest(
      {
        certname: options.certname,
        ...(options.altNames === undefined ? {} : { altNames: options.altNames }),
        ...(options.extensions === undefined ? {} : { extensions: options.extensions }),
        attributes: {
          ...options.attributes,
          ...(challengePassword === undefined ? {} : { [oids.challengePassword]: challengePassword }),
        },
      },
      keys,
    ),
  );
  // A request contains a secret: no other user may read it.
  const isSecret = challengePassword !== undefined || Object.keys(options.attributes ?? {}).length > 0;
  await writeFileAtomically(files.request, request, isSecret ? 0o600 : 0o644);
  const answer = await patiently(options, () =>
    client.send({
      method: 'PUT',
      url: `${options.primaryUrl}/puppet-ca/v1/certificate_request/${options.certname}`,
      headers: { 'content-type': 'text/plain' },
      body: request,
      signal: options.signal,
    }),
  );
  const text = answer.body.toString('utf8');
  if (answer.status === 200) return true;
  if (/already has a requested certificate/.test(text)) {
    await adoptHeld(enrolment, request);
    return true;
  }
  await rm(files.request, { force: true });
  // The agent of this machine asked with the same key, and its request was signed a moment ago.
  if (/already has a signed certificate/.test(text)) return false;
  if (answer.status === 403) throw new ServiceError('forbidden', text);
  throw new ServiceError(
    'conflict',
    `The CA refused the certificate request of ${options.certname}: ${text}`,
  );
}

async function proved({ client, files, keys, options }: Enrolment): Promise<string | undefined> {
  if (options.prove === undefined) return undefined;
  const caFingerprint = fingerprintOf(await readFile(files.ca, 'utf8'));
  const keyDigest = createHash('sha256').update(encodePublicKeyInfo(keys.publicKey)).digest('hex');
  return options.prove({ caFingerprint, keyDigest }, client);
}

function isFor(certificate: string, { privateKey }: KeyPair): boolean {
  return new X509Certificate(certificate).checkPrivateKey(privateKey);
}

/** Goes on with the request that the CA holds: its fingerprint is the one that people compare. */
async function adoptHeld({ client, files, keys, options }: Enrolment, sent: string): Promise<void> {
  const { certname, log } = options;
  const answer = await patiently(options, () =>
    get(options, client, `certificate_request/${certname}`, [404]),
  );
  // Signed or removed in the meantime: the next question shows which.
  if (answer.status === 404) return;
  const held = answer.body.toString('utf8');
  checkHeldRequest(held, sent, { certname, keyFile: files.privateKey, keys, log });
  await writeFileAtomically(files.request, held, 0o600);
}

/** As `ca list` shows it; `undefined` when the agent of this machine has its certificate, and removed the request. */
async function requestFingerprint(files: SslFiles): Promise<string | undefined> {
  const request = await ifThere(readFile(files.request, 'utf8'));
  return request === undefined ? undefined : fingerprint(parseCertificateRequest(request).raw);
}

async function acceptCertificate(options: ObtainOptions, files: SslFiles, pem: string): Promise<void> {
  const keys = await readKey(files);
  if (keys === undefined || !new X509Certificate(pem).checkPrivateKey(keys.privateKey))
    throw new ServiceError(
      'conflict',
      `The CA has a certificate for ${options.certname} that does not match the key ${files.privateKey}; clean it with 'bunraku ca clean --certname ${options.certname}'`,
    );
  options.log.info({ certname: options.certname }, 'received certificate');
  await writeFileAtomically(files.certificate, pem);
}

async function get(
  options: ObtainOptions,
  client: HttpClient,
  path: string,
  alsoAccepted: readonly number[] = [],
): Promise<ClientResponse> {
  const url = `${options.primaryUrl}/puppet-ca/v1/${path}`;
  const answer = await client.send({
    method: 'GET',
    url,
    headers: { accept: 'text/plain' },
    signal: options.signal,
  });
  if (answer.status === 200 || alsoAccepted.includes(answer.status)) return answer;
  throw new ServiceError('unavailable', `${url} answered with status ${answer.status}`);
}

/** Asks again for as long as the primary can't be reached: servers start in any order. */
async function patiently<T>(options: ObtainOptions, ask: () => Promise<T>): Promise<T> {
  let hasWarned = false;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isPassing = error instanceof ServiceError && ['unavailable', 'timeout'].includes(error.reason);
      if (!isPassing || options.signal.aborted) throw error;
      if (!hasWarned)
        options.log.warn({ err: error, primaryUrl: options.primaryUrl }, 'primary is not to be reached yet');
      hasWarned = true;
      await sleep(Math.min(options.pollIntervalMs, 1000), undefined, { signal: options.signal });
    }
  }
}
