/**
 * The certificate authority: takes requests, signs, revokes, answers.
 *
 * Everything that writes goes through one queue, and what it promises is on disk before it is promised: first the
 * serial number, then the inventory, then the certificate. Killed at any point, no number is used twice and nothing
 * acknowledged is missing.
 */

import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  autoRenewAttributeOid,
  type Certificate,
  type CertificateRequest,
  cliAuthOid,
  commonName,
  commonNameOnly,
  decodeCertificate,
  type Extension,
  encodeCertificate,
  encodeCertificateRequest,
  isSignedBy,
  parseAltNames,
  puppetExtension,
  requestAttribute,
  signCertificate,
} from '../../platform/x509/index.ts';
import { type AuthorityParts, loadParts } from './authority-parts.ts';
import { autosigns } from './autosign.ts';
import { CaDirectory, findFile, type StoredFile } from './ca-directory.ts';
import { lockCaDirectory } from './ca-lock.ts';
import type { CaSettings } from './ca-settings.ts';
import { type CertificateState, type CertificateStatus } from './certificate-status.ts';
import { leafExtensions, renewedExtensions, requestedLeafExtensions } from './leaf-extensions.ts';
import { readRequest } from './read-request.ts';
import { contentProblem, requestName, subjectProblem } from './request-policy.ts';
import type { CrlState } from './revocations.ts';
import { isSetUp, setUpAuthority } from './setup.ts';
import { renderTime, validityFrom } from './validity.ts';

export interface CaEnvironment {
  readonly log: Logger;
  readonly now: () => Date;
}

/** A certificate that the operator wants, not a node: policies don't apply. */
export interface CertificateOrder {
  readonly certname: string;
  readonly publicKeyInfo: Uint8Array;
  /** `puppet, IP:10.0.0.1`; the certname is always one of them. */
  readonly altNames?: string;
  /** By short name or OID. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** Gives the right to use the administrative API (`pp_cli_auth`). */
  readonly isCaClient?: boolean;
  readonly ttlSeconds?: number;
}

export interface BulkSigning {
  readonly signed: readonly string[];
  readonly noCsr: readonly string[];
  readonly signingErrors: readonly string[];
}

export class CertificateAuthority {
  readonly #settings: CaSettings;
  readonly #environment: CaEnvironment;
  readonly #parts: AuthorityParts;
  readonly #queue = new SerialQueue();
  readonly #crlListeners = new Set<(crl: CrlState) => void>();

  private constructor(settings: CaSettings, environment: CaEnvironment, parts: AuthorityParts) {
    this.#settings = settings;
    this.#environment = environment;
    this.#parts = parts;
  }

  /**
   * Opens the authority in `settings.caDir`, makes one when there is none, and keeps other processes from writing
   * to it until `close`.
   *
   * @throws ServiceError `unavailable` when another process has it, `conflict` when the files don't fit together
   */
  static async open(settings: CaSettings, environment: CaEnvironment): Promise<CertificateAuthority> {
    const directory = new CaDirectory(settings.caDir);
    await directory.prepare();
    const lock = lockCaDirectory(directory.lock);
    try {
      if (!(await isSetUp(directory))) {
        environment.log.info({ caDir: settings.caDir }, 'creating certificate authority');
        await setUpAuthority(settings, environment.now());
      }
      return new CertificateAuthority(
        settings,
        environment,
        await loadParts(directory, environment.log, lock),
      );
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Opens an authority that another process may be writing to, as it is now; whatever would write throws.
   *
   * @throws ServiceError `conflict` when there is none
   */
  static async openReadOnly(settings: CaSettings, environment: CaEnvironment): Promise<CertificateAuthority> {
    return new CertificateAuthority(
      settings,
      environment,
      await loadParts(new CaDirectory(settings.caDir), environment.log),
    );
  }

  /** Finishes what was begun and lets other processes write. */
  async close(): Promise<void> {
    await this.#queue.run(async () => this.#parts.lock?.release());
  }

  /** The signing certificate first, the root last, as PEM. */
  get bundle(): string {
    return this.#parts.identity.bundle;
  }

  get crl(): CrlState {
    return this.#parts.revocations.state;
  }

  /** @param serial - upper-case hexadecimal without leading zeros */
  isRevoked(serial: string): boolean {
    return this.#parts.revocations.isRevoked(serial);
  }

  /** True for a certificate of this authority that is neither revoked nor expired. */
  isValid(certificate: Certificate): boolean {
    return this.hasSigned(certificate) && this.#environment.now() < certificate.notAfter;
  }

  /** True for a certificate of this authority that has not been revoked. */
  hasSigned(certificate: Certificate): boolean {
    const { identity } = this.#parts;
    return isSignedBy(certificate, identity.certificate.publicKeyInfo) && !this.isRevoked(certificate.serial);
  }

  /** Calls `listener` after each revocation. @returns what ends that */
  onCrlChange(listener: (crl: CrlState) => void): () => void {
    this.#crlListeners.add(listener);
    return () => this.#crlListeners.delete(listener);
  }

  /** A node's certificate as PEM; the bundle for the name `ca`. */
  async findCertificate(name: string): Promise<StoredFile | undefined> {
    const { directory, identity } = this.#parts;
    if (name === 'ca') return { content: identity.bundle, modifiedAt: identity.bundleModifiedAt };
    return directory.find('signed', name);
  }

  async findRequest(certname: string): Promise<string | undefined> {
    return (await this.#parts.directory.find('requests', certname))?.content;
  }

  /** True when there is or ever was a certificate for that name. */
  async isIssued(certname: string): Promise<boolean> {
    const { directory, inventory } = this.#parts;
    return inventory.has(certname) || (await directory.find('signed', certname)) !== undefined;
  }

  /**
   * Takes a node's request, and signs it when the autosign setting says so.
   *
   * @param pem - as sent
   * @throws ServiceError `bad-request` in the words that agents know; a request that may be kept but not autosigned
   *   is kept all the same
   */
  async submitRequest(certname: string, pem: string): Promise<'signed' | 'pending'> {
    const { log } = this.#environment;
    const request = readRequest(pem);
    const canonical = encodeCertificateRequest(request);
    await this.#write(async () => {
      await this.#checkDuplicate(requestName(request));
      refuse('bad-request', subjectProblem(certname, request));
      await this.#parts.directory.write('requests', certname, canonical);
    });
    log.info({ certname }, 'received certificate request');
    if (!(await autosigns(this.#settings.autosign, certname, canonical, log))) return 'pending';
    return this.#write(async () => {
      // While a program decided, somebody may have signed or deleted it, or sent another one.
      if ((await this.findRequest(certname)) !== canonical) return 'pending';
      refuse('bad-request', contentProblem(request, this.#settings));
      await this.#signRequest(certname, request);
      return 'signed';
    });
  }

  /** @throws ServiceError `not-found` */
  async deleteRequest(certname: string): Promise<void> {
    const wasThere = await this.#write(() => this.#parts.directory.remove('requests', certname));
    if (!wasThere) {
      const { path } = this.#parts.directory;
      refuse(
        'not-found',
        `No certificate request for ${certname} at expected path ${path}/requests/${certname}.pem`,
      );
    }
  }

  /**
   * Signs a pending request.
   *
   * @param ttlSeconds - validity from now; `ca_ttl` when absent
   * @throws ServiceError `conflict` when there is none or it asks for what is not allowed
   */
  async sign(certname: string, ttlSeconds?: number): Promise<void> {
    await this.#write(async () => {
      const pem = await this.findRequest(certname);
      if (pem === undefined) {
        throw conflict(`Cannot sign certificate for host ${certname} without a certificate request`);
      }
      const request = readRequest(pem);
      refuse('conflict', subjectProblem(certname, request) ?? contentProblem(request, this.#settings));
      await this.#signRequest(certname, request, ttlSeconds);
    });
  }

  /** Signs what it can of `certnames`; of all pending requests when absent. */
  async signAll(certnames?: readonly string[]): Promise<BulkSigning> {
    const names = certnames ?? (await this.#parts.directory.list('requests'));
    const result = { signed: [] as string[], noCsr: [] as string[], signingErrors: [] as string[] };
    for (const certname of names) {
      if ((await this.findRequest(certname)) === undefined) {
        result.noCsr.push(certname);
        continue;
      }
      try {
        await this.sign(certname);
        result.signed.push(certname);
      } catch (error) {
        this.#environment.log.error({ certname, err: error }, 'could not sign certificate request');
        result.signingErrors.push(certname);
      }
    }
    return result;
  }

  /**
   * Revokes every certificate of these nodes that has not expired. Unknown names are passed over.
   *
   * The new CRL is on disk, and its listeners have been told, when this returns.
   */
  async revoke(certnames: readonly string[]): Promise<void> {
    await this.#write(async () => {
      const now = this.#environment.now();
      const serials = (await Promise.all(certnames.map((name) => this.#serialsOf(name, now)))).flat();
      const { revocations, infraRevocations, directory } = this.#parts;
      const infraNames = ((await findFile(directory.infraInventory))?.content ?? '').split('\n');
      if (certnames.some((name) => name !== '' && infraNames.includes(name))) {
        await infraRevocations?.revoke(serials, now);
      }
      if (!(await revocations.revoke(serials, now))) return;
      this.#environment.log.info({ certnames, serials }, 'revoked certificates');
      for (const listener of this.#crlListeners) listener(revocations.state);
    });
  }

  /** Removes a node's certificate and request; the certificate stays valid unless revoked. */
  async deleteFiles(certname: string): Promise<void> {
    await this.#write(async () => {
      await this.#parts.directory.remove('signed', certname);
      await this.#parts.directory.remove('requests', certname);
    });
  }

  /** Revokes and removes the certificates of `certnames`. @returns those that never had one */
  async clean(certnames: readonly string[]): Promise<readonly string[]> {
    const unique = [...new Set(certnames)];
    const isKnown = await Promise.all(unique.map((name) => this.isIssued(name)));
    const known = unique.filter((_, index) => isKnown[index]);
    await this.revoke(known);
    await this.#write(async () => {
      for (const name of known) await this.#parts.directory.remove('signed', name);
    });
    return unique.filter((_, index) => !isKnown[index]);
  }

  /** What is known of a node's certificate, or else of its request. */
  findStatus(certname: string): Promise<CertificateStatus | undefined> {
    return this.#parts.register.findStatus(certname);
  }

  /** All requests, then all certificates; only those in `state` when given. */
  statuses(state?: CertificateState): Promise<CertificateStatus[]> {
    return this.#parts.register.statuses(state);
  }

  /** Signs a certificate for the operator, saves it beside the others and returns it. */
  async issue(order: CertificateOrder): Promise<Certificate> {
    const { certname, publicKeyInfo, altNames = '', extensions = {}, isCaClient = false, ttlSeconds } = order;
    const others = Object.entries(extensions).map(([name, value]) => puppetExtension(name, value));
    if (isCaClient) others.push(puppetExtension(cliAuthOid, 'true'));
    const { keyId } = this.#parts.identity;
    const all = leafExtensions({ certname, publicKeyInfo }, parseAltNames(altNames), keyId, others);
    const ttl = ttlSeconds ?? this.#settings.certificateTtlSeconds;
    return this.#write(() => this.#issue(certname, publicKeyInfo, all, ttl));
  }

  /**
   * A new certificate for the key and with the extensions of an old one, whose bearer has proved to have the key.
   *
   * @param der - the old certificate
   * @throws ServiceError `not-found` when renewal is not allowed, `forbidden` when it is not ours or revoked
   */
  async renew(der: Uint8Array): Promise<Certificate> {
    if (!this.#settings.allowAutoRenewal) throw new ServiceError('not-found', 'Not Found');
    const { identity } = this.#parts;
    const old = decodeCertificate(der);
    const certname = commonName(old.subject);
    if (!this.hasSigned(old) || certname === undefined) {
      throw new ServiceError('forbidden', 'Certificate present, but does not match signature');
    }
    const { publicKeyInfo } = old;
    const extensions = renewedExtensions(old.extensions, publicKeyInfo, identity.keyId);
    const ttl = this.#settings.autoRenewalTtlSeconds;
    return this.#write(() => this.#issue(certname, publicKeyInfo, extensions, ttl));
  }

  /** When the authority's certificates and CRLs expire, by common name. */
  expirations(): { readonly caCerts: Record<string, string>; readonly crls: Record<string, string> } {
    const caCerts = this.#parts.identity.bundleCertificates.map(({ subject, notAfter }) => [
      commonName(subject) ?? '',
      renderTime(notAfter),
    ]);
    const crls = this.#parts.revocations.lists.map(({ issuer, nextUpdate }) => [
      commonName(issuer) ?? '',
      nextUpdate ? renderTime(nextUpdate) : '',
    ]);
    return { caCerts: Object.fromEntries(caCerts), crls: Object.fromEntries(crls) };
  }

  /** Work that writes, one after the other. */
  #write<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#parts.lock)
      return Promise.reject(new Error('This certificate authority was opened for reading only'));
    return this.#queue.run(work);
  }

  async #signRequest(certname: string, request: CertificateRequest, ttlSeconds?: number): Promise<void> {
    const { allowAutoRenewal, autoRenewalTtlSeconds, certificateTtlSeconds } = this.#settings;
    const renews = allowAutoRenewal && requestAttribute(request, autoRenewAttributeOid) === 'true';
    const ttl = ttlSeconds ?? (renews ? autoRenewalTtlSeconds : certificateTtlSeconds);
    const extensions = requestedLeafExtensions(certname, request, this.#parts.identity.keyId);
    await this.#issue(certname, request.publicKeyInfo, extensions, ttl);
    await this.#parts.directory.remove('requests', certname);
  }

  /** Only from within the queue. */
  async #issue(
    certname: string,
    publicKeyInfo: Uint8Array,
    extensions: readonly Extension[],
    ttlSeconds: number,
  ): Promise<Certificate> {
    const { identity, serials, inventory, directory } = this.#parts;
    const certificate = await signCertificate(
      {
        serial: await serials.next(),
        issuer: identity.certificate.subject,
        subject: commonNameOnly(certname),
        ...validityFrom(this.#environment.now(), ttlSeconds),
        publicKeyInfo,
        extensions,
      },
      identity.key,
    );
    await inventory.append(certificate);
    await directory.write('signed', certname, encodeCertificate(certificate));
    this.#environment.log.info({ certname, serial: certificate.serial }, 'signed certificate');
    return certificate;
  }

  async #checkDuplicate(subject: string): Promise<void> {
    if (this.#settings.allowDuplicateCerts) return;
    const state = await this.#parts.register.findState(subject);
    if (state === undefined) return;
    refuse('bad-request', `${subject} already has a ${state} certificate; ignoring certificate request`);
  }

  async #serialsOf(certname: string, now: Date): Promise<string[]> {
    const stored = await this.#parts.register.findCertificate(certname);
    return [...this.#parts.inventory.validSerials(certname, now), ...(stored ? [stored.serial] : [])];
  }
}

function refuse(reason: 'bad-request' | 'conflict' | 'not-found', problem: string | undefined): void {
  if (problem !== undefined) throw new ServiceError(reason, problem, { kind: 'puppet-ca/refused' });
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message, { kind: 'puppet-ca/refused' });
}
