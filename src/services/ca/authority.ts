/**
 * The certificate authority: takes requests, signs, revokes, answers.
 *
 * What concerns one node is done one after the other; what concerns different nodes goes together to the disk. What
 * is promised is there before it is promised: killed at any point, no number is used twice and nothing acknowledged
 * is missing.
 */

import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  autoRenewAttributeOid,
  type Certificate,
  type CertificateRequest,
  commonName,
  decodeCertificate,
  encodeCertificateRequest,
  isSignedBy,
  type RevocationList,
  requestAttribute,
} from '../../platform/x509/index.ts';
import {
  type AuthorityParts,
  type CaEnvironment,
  loadParts,
  loadPolicy,
  validSerials,
} from './authority-parts.ts';
import type { CaSettings } from './ca-settings.ts';
import type { CertificateStatus } from './certificate-status.ts';
import { CaDirectory, type StoredFile } from './directory/ca-directory.ts';
import { lockCaDirectory } from './directory/ca-lock.ts';
import type { RequestOrigin } from './directory/request-origins.ts';
import type { WantedStatuses } from './directory/wanted-statuses.ts';
import { signEach } from './issuance/bulk-signing.ts';
import { type Draft, orderedDraft, renewedDraft, requestedDraft } from './issuance/draft.ts';
import type { BulkSigning, CertificateOrder, SignOptions } from './issuance/orders.ts';
import { allowedJoin, type Join, joinOf, keyDigestOf, type RequestSender } from './requests/join.ts';
import { readRequest } from './requests/read-request.ts';
import { conflict, refuse } from './requests/refusal.ts';
import { refuseContent } from './requests/refuse-content.ts';
import { checkDuplicate, checkFingerprint, checkRoom, policyFor } from './requests/request-limits.ts';
import { contentProblem, keyProblem, requestName, subjectProblem } from './requests/request-policy.ts';
import { decideSigning } from './requests/signing-decision.ts';
import type { Applicant, SigningPolicy } from './requests/signing-policy.ts';
import { decideAgain, isWaitingKey } from './requests/waiting-requests.ts';
import { updatedLists } from './revocation/crl-update.ts';
import { type CaHealth, healthOf, type MaintenanceReport, maintain } from './revocation/maintenance.ts';
import type { CrlOutcome, CrlState } from './revocation/revocations.ts';
import { revokeNodes } from './revocation/revoke-nodes.ts';
import { isSetUp, setUpAuthority } from './setup/setup.ts';
import { ttlOf } from './validity.ts';

type Outcome = 'signed' | 'pending';

/** What may be asked for at all. */
const everything = { allowSubjectAltNames: true, allowAuthorizationExtensions: true, serverRoles: [] };

export class CertificateAuthority {
  private readonly settings: CaSettings;
  private readonly environment: CaEnvironment;
  private readonly parts: AuthorityParts;
  private readonly nodes = new KeyedQueue();
  private isClosed = false;
  private readonly crlListeners = new Set<(crl: CrlState) => void>();
  private readonly cleanListeners = new Set<(certname: string) => Promise<void>>();

  private constructor(settings: CaSettings, environment: CaEnvironment, parts: AuthorityParts) {
    this.settings = settings;
    this.environment = environment;
    this.parts = parts;
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
      await directory.removeLeftovers();
      if (!(await isSetUp(directory, settings.signingCommand.length > 0))) {
        environment.log.info({ caDir: settings.caDir }, 'creating certificate authority');
        await setUpAuthority(settings, environment.now());
      }
      return new CertificateAuthority(
        settings,
        environment,
        await loadParts(directory, settings, environment, lock),
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
      await loadParts(new CaDirectory(settings.caDir), settings, environment),
    );
  }

  /** Finishes what was begun and lets other processes write. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.nodes.idle();
    this.parts.lock?.release();
  }

  /** The signing certificate first, the root last, as PEM. */
  get bundle(): string {
    return this.parts.identity.bundle;
  }

  get crl(): CrlState {
    return this.parts.revocations.state;
  }

  /** What agents get: the infrastructure's list where that is enabled. */
  get agentCrl(): CrlState {
    const { infraRevocations, revocations } = this.parts;
    return (this.settings.enableInfraCrl ? infraRevocations : undefined)?.state ?? revocations.state;
  }

  /** Our list first, then those of the authorities above. */
  get revocationLists(): readonly RevocationList[] {
    return this.parts.revocations.lists;
  }

  /** Entries of our own list. */
  get revokedCount(): number {
    return this.parts.revocations.revokedSerials.size;
  }

  get pendingRequests(): number {
    return this.parts.register.pendingCount;
  }

  /** Ends of the authority's certificates and lists. */
  get health(): CaHealth {
    return healthOf(this.parts, this.environment.now());
  }

  /** @param serial - upper-case hexadecimal without leading zeros */
  isRevoked(serial: string): boolean {
    return this.parts.revocations.isRevoked(serial);
  }

  /** True for a certificate of this authority that is neither revoked nor expired. */
  isValid(certificate: Certificate): boolean {
    return this.hasSigned(certificate) && this.environment.now() < certificate.notAfter;
  }

  /** True for a certificate of this authority that has not been revoked. */
  hasSigned(certificate: Certificate): boolean {
    const { identity } = this.parts;
    return isSignedBy(certificate, identity.certificate.publicKeyInfo) && !this.isRevoked(certificate.serial);
  }

  /** Calls `listener` after each revocation. @returns what ends that */
  onCrlChange(listener: (crl: CrlState) => void): () => void {
    this.crlListeners.add(listener);
    return () => this.crlListeners.delete(listener);
  }

  /** Calls `listener` for each node whose certificate people have removed, and waits for it. @returns what ends that */
  onCleaned(listener: (certname: string) => Promise<void>): () => void {
    this.cleanListeners.add(listener);
    return () => this.cleanListeners.delete(listener);
  }

  /** A node's certificate as PEM; the bundle for the name `ca`. */
  async findCertificate(name: string): Promise<StoredFile | undefined> {
    const { directory, identity } = this.parts;
    if (name === 'ca') return { content: identity.bundle, modifiedAt: identity.bundleModifiedAt };
    return directory.find('signed', name);
  }

  async findRequest(certname: string): Promise<string | undefined> {
    return (await this.parts.directory.find('requests', certname))?.content;
  }

  /** True when there is or ever was a certificate for that name. */
  async isIssued(certname: string): Promise<boolean> {
    const { directory, inventory } = this.parts;
    return inventory.has(certname) || (await directory.find('signed', certname)) !== undefined;
  }

  /**
   * Takes a node's request, and signs it when the rules or the autosign setting say so.
   *
   * @param pem - as sent
   * @param sender - where it came from, and who knows the secrets with which servers join; without the latter none counts
   * @throws ServiceError `bad-request` in the words that agents know; a request that may be kept but not signed is
   *   kept all the same. `forbidden` when a rule refuses it, `unavailable` when too many wait already
   */
  async submitRequest(certname: string, pem: string, sender: RequestSender = {}): Promise<Outcome> {
    const { autosign } = this.settings;
    const { log } = this.environment;
    const { directory, policy, register, requestOrigins: origins } = this.parts;
    const request = readRequest(pem);
    const applicant = { certname, request, address: sender.address };
    const join = joinOf(request, sender.joins);
    if (join !== undefined) return this.join(applicant, join);
    const canonical = encodeCertificateRequest(request);
    // Who signs everything at once needs no copy that waits.
    const isSignedAtOnce = autosign === true && policy === undefined;
    const keep = async () => {
      checkRoom(this.parts.register, this.settings, certname);
      await directory.write('requests', certname, canonical);
      register.noteChange('requests', certname, true);
    };
    const early = await this.write([certname], async () => {
      await checkDuplicate(this.parts.register, this.settings, requestName(request));
      refuse('bad-request', subjectProblem(certname, request) ?? keyProblem(request));
      if (!isSignedAtOnce) {
        await keep();
        return undefined;
      }
      log.info({ certname, reason: 'autosign is true' }, 'received certificate request');
      const problem = contentProblem(request, this.settings);
      if (problem !== undefined) await keep();
      await refuseContent(applicant, problem, { log, origins });
      await this.signRequest(certname, request, {});
      return 'signed' as const;
    });
    if (early !== undefined) return early;
    log.info({ certname }, 'received certificate request');
    return this.decide(applicant);
  }

  /** Refused requests are not stored: a request contains a secret. */
  private async join(applicant: Applicant, join: Join): Promise<'signed'> {
    const { log } = this.environment;
    const { oidNames, policy, register } = this.parts;
    const { certname, request } = applicant;
    await this.write([certname], async () => {
      const present = await register.findCertificate(certname);
      // Who was killed before it had its certificate asks again.
      if (present?.publicKeyInfo.equals(request.publicKeyInfo) && this.isValid(present)) return;
      refuse('bad-request', subjectProblem(certname, request) ?? keyProblem(request));
      refuse('bad-request', contentProblem(request, everything));
      const { mayReplace, options, reason } = await allowedJoin(join, applicant, { oidNames, policy });
      // A node that asked without a token before asks again with one.
      if (!mayReplace && !(await isWaitingKey(this.parts, certname, request)))
        await checkDuplicate(register, this.settings, requestName(request));
      refuse('bad-request', contentProblem(request, policyFor(this.settings, options)));
      await join.joins.use(join.token, certname, keyDigestOf(request));
      log.info({ certname, reason }, 'signing for a server that joins');
      // First, so that there is no moment with two certificates of one owner.
      if (mayReplace) await this.revokeInTurn([certname]);
      await this.signRequest(certname, request, options);
    });
    return 'signed';
  }

  private async decide(applicant: Applicant, isWaiting = false): Promise<Outcome> {
    const { address, certname, request } = applicant;
    const { autosign } = this.settings;
    const { log } = this.environment;
    const { policy, requestOrigins: origins } = this.parts;
    const canonical = encodeCertificateRequest(request);
    const decision = await decideSigning(applicant, canonical, { policy, autosign, log });
    const { action, reason, ttlSeconds, allowsAltNames = false, allowsAuthorization = false } = decision;
    // A waiting request is for people: rules about its address no longer apply.
    if (isWaiting && action !== 'sign') return 'pending';
    log.info({ certname, action, reason, address }, 'decided on certificate request');
    if (action === 'hold') {
      await origins.note(applicant, reason);
      return 'pending';
    }
    return this.write([certname], async () => {
      // While a program decided, somebody may have signed or deleted it, or sent another one.
      if ((await this.findRequest(certname)) !== canonical) return 'pending';
      if (action === 'refuse') {
        await this.remove('requests', certname);
        throw new ServiceError('forbidden', `CSR '${certname}' is refused by the signing policy of this CA`);
      }
      const allowed = {
        ttlSeconds,
        allowSubjectAltNames: allowsAltNames,
        allowAuthorizationExtensions: allowsAuthorization,
      };
      const problem = contentProblem(request, policyFor(this.settings, allowed));
      await refuseContent(applicant, problem, { log, origins });
      await this.signRequest(certname, request, allowed);
      return 'signed';
    });
  }

  /**
   * Reads the signing policy again, and signs the waiting requests that the rules sign now. Where a request
   * came from is kept for people alone: rules about addresses do not fit.
   *
   * @throws ServiceError `conflict` naming what is wrong with the policy; the former one holds on
   */
  async reconsider(stopping?: AbortSignal): Promise<void> {
    this.parts.policy = await loadPolicy(this.settings, this.parts.oidNames);
    await decideAgain(
      this.parts,
      (certname, request) => this.decide({ certname, request, address: undefined }, true),
      stopping,
    );
  }

  /** Where a request that waits came from, when, and why it was not signed; `undefined` where that is not known. */
  findOrigin(certname: string): Promise<RequestOrigin | undefined> {
    return this.parts.requestOrigins.find(certname);
  }

  /** The rules for requests; absent where no file is named. */
  get policy(): SigningPolicy | undefined {
    return this.parts.policy;
  }

  /** @throws ServiceError `not-found` */
  async deleteRequest(certname: string): Promise<void> {
    const wasThere = await this.write([certname], () => this.remove('requests', certname));
    const file = `${this.parts.directory.path}/requests/${certname}.pem`;
    if (!wasThere) refuse('not-found', `No certificate request for ${certname} at expected path ${file}`);
  }

  /**
   * Signs a pending request.
   *
   * @throws ServiceError `conflict` when there is none or it asks for what is not allowed
   */
  async sign(certname: string, options: SignOptions = {}): Promise<void> {
    await this.write([certname], async () => {
      const pem = await this.findRequest(certname);
      if (pem === undefined) {
        throw conflict(`Cannot sign certificate for host ${certname} without a certificate request`);
      }
      const request = readRequest(pem);
      checkFingerprint(certname, request, options);
      const policy = policyFor(this.settings, options);
      refuse('conflict', subjectProblem(certname, request) ?? contentProblem(request, policy));
      await this.signRequest(certname, request, options);
    });
  }

  /** Signs what it can of `certnames`; of all pending requests when absent. */
  async signAll(certnames?: readonly string[], options: SignOptions = {}): Promise<BulkSigning> {
    const names = certnames ?? (await this.parts.directory.list('requests'));
    const signer = {
      findRequest: (certname: string) => this.findRequest(certname),
      sign: (certname: string) => this.sign(certname, options),
    };
    return await signEach(names, signer, this.environment.log);
  }

  /**
   * Revokes every certificate of these nodes that has not expired. Unknown names are passed over.
   *
   * The new CRL is on disk, and its listeners have been told, when this returns.
   */
  async revoke(certnames: readonly string[]): Promise<void> {
    await this.write(certnames, () => this.revokeInTurn(certnames));
  }

  /** Removes a node's certificate and request; the certificate stays valid unless revoked. */
  async deleteFiles(certname: string): Promise<void> {
    const wasIssued = await this.write([certname], async () => {
      const wasThere = await this.remove('signed', certname);
      await this.remove('requests', certname);
      return wasThere;
    });
    if (wasIssued) await this.tellCleaned([certname]);
  }

  /** Removes the CA's copy of a node's certificate, nothing else. */
  async deleteCertificate(certname: string): Promise<void> {
    await this.write([certname], async () => {
      await this.remove('signed', certname);
    });
  }

  /** Revokes and removes the certificates of `certnames`. @returns those that never had one */
  async clean(certnames: readonly string[]): Promise<readonly string[]> {
    const unique = [...new Set(certnames)];
    const isKnown = await Promise.all(unique.map((name) => this.isIssued(name)));
    const known = unique.filter((_, index) => isKnown[index]);
    await this.revoke(known);
    await this.write(known, async () => {
      for (const name of known) await this.remove('signed', name);
    });
    await this.tellCleaned(known);
    return unique.filter((_, index) => !isKnown[index]);
  }

  /** What is known of a node's certificate, or else of its request. */
  findStatus(certname: string): Promise<CertificateStatus | undefined> {
    return this.parts.register.findStatus(certname);
  }

  /** All requests, then all certificates, each as JSON; only the wanted ones. */
  encodedStatuses(wanted: WantedStatuses = {}): Promise<string[]> {
    return this.parts.register.encodedStatuses(wanted);
  }

  /** Signs a certificate for the operator, saves it beside the others and returns it. */
  async issue(order: CertificateOrder): Promise<Certificate> {
    const { identity, oidNames } = this.parts;
    const draft = orderedDraft(order, identity, oidNames, this.settings.certificateTtlSeconds);
    return this.write([order.certname], () => this.issueDraft(draft));
  }

  /**
   * A new certificate for the key and with the extensions of an old one, whose bearer has proved to have the key.
   *
   * @param der - the old certificate
   * @param isInfrastructure - servers of the installation may renew whatever the setting says, for as long as the
   *   first time
   * @throws ServiceError `not-found` when renewal is not allowed, `forbidden` when it is not ours, over or revoked
   */
  async renew(der: Uint8Array, isInfrastructure = false): Promise<Certificate> {
    const { allowAutoRenewal, autoRenewalTtlSeconds, certificateTtlSeconds } = this.settings;
    if (!allowAutoRenewal && !isInfrastructure) throw new ServiceError('not-found', 'Not Found');
    const { identity } = this.parts;
    const old = decodeCertificate(der);
    const certname = commonName(old.subject);
    if (certname === undefined || !this.isValid(old)) {
      throw new ServiceError('forbidden', 'Certificate present, but does not match signature');
    }
    const ttlSeconds = isInfrastructure ? Math.min(certificateTtlSeconds, ttlOf(old)) : autoRenewalTtlSeconds;
    const draft = renewedDraft(certname, old, identity, ttlSeconds);
    return this.write([certname], () => {
      if (this.isRevoked(old.serial)) throw new ServiceError('forbidden', 'Certificate has been revoked');
      return this.issueDraft(draft);
    });
  }

  /**
   * Takes newer lists of the authorities above.
   *
   * @throws ServiceError `bad-request` saying what is wrong with them
   */
  async updateCrls(pem: string): Promise<void> {
    await this.write([], async () => {
      const { identity, infraRevocations, revocations } = this.parts;
      const now = this.environment.now();
      const lists = updatedLists(pem, revocations, identity.bundleCertificates, now);
      await revocations.replaceOthers(lists, now);
      await infraRevocations?.replaceOthers(lists, now);
      this.environment.log.info({}, 'updated CRLs of the authorities above');
      this.tellListeners();
    });
  }

  /**
   * Takes entries off our list: those of `serials`, those of expired certificates when asked for, and repeated ones.
   *
   * @param serials - upper-case hexadecimal without leading zeros
   */
  async prune(serials: readonly string[], isExpiredToo: boolean): Promise<CrlOutcome> {
    return this.write([], async () => {
      const { inventory, revocations } = this.parts;
      const now = this.environment.now();
      const expired = isExpiredToo ? inventory.expiredBefore(now) : new Set<string>();
      const outcome = await revocations.prune(now, (one) => !serials.includes(one) && !expired.has(one));
      if (outcome.hasChanged) this.tellListeners();
      return outcome;
    });
  }

  /** Serial numbers of all certificates that a node ever had, as far as the inventory and `signed/` know. */
  async allSerials(certname: string): Promise<readonly string[]> {
    return validSerials(this.parts, certname, new Date(0));
  }

  /** What has to be done from time to time: lists that would lapse are signed anew, and pruned. */
  async maintain(isForced = false): Promise<MaintenanceReport> {
    const { log, now } = this.environment;
    const report = await this.write([], () => maintain(this.parts, now(), isForced, log));
    if (report.hasChanged) this.tellListeners();
    return report;
  }

  /** Work that writes, for each of the nodes one after the other. */
  private write<T>(certnames: readonly string[], work: () => Promise<T>): Promise<T> {
    if (!this.parts.lock || this.isClosed) {
      const state = this.isClosed ? 'is closed' : 'was opened for reading only';
      return Promise.reject(new ServiceError('unavailable', `This certificate authority ${state}`));
    }
    return this.nodes.run(certnames.length === 0 ? [''] : certnames, work);
  }

  private tellListeners(): void {
    for (const listener of this.crlListeners) listener(this.crl);
  }

  /** Only from within the queue, and so are those below. */
  private async signRequest(
    certname: string,
    request: CertificateRequest,
    options: SignOptions,
  ): Promise<void> {
    const { allowAutoRenewal, autoRenewalTtlSeconds, certificateTtlSeconds } = this.settings;
    const renews = allowAutoRenewal && requestAttribute(request, autoRenewAttributeOid) === 'true';
    const ttlSeconds = options.ttlSeconds ?? (renews ? autoRenewalTtlSeconds : certificateTtlSeconds);
    await this.issueDraft(requestedDraft(certname, request, this.parts.identity, ttlSeconds));
    await this.remove('requests', certname);
  }

  private async revokeInTurn(certnames: readonly string[]): Promise<void> {
    const serials = await revokeNodes(this.parts, certnames, this.environment);
    if (serials !== undefined) this.tellListeners();
  }

  private async issueDraft(draft: Draft): Promise<Certificate> {
    const certificate = await this.parts.issuance.issue(draft);
    const { certname } = draft;
    this.parts.register.noteChange('signed', certname, true);
    this.environment.log.info({ certname, serial: certificate.serial }, 'signed certificate');
    return certificate;
  }

  private async remove(kind: 'requests' | 'signed', certname: string): Promise<boolean> {
    const wasThere = await this.parts.directory.remove(kind, certname);
    this.parts.register.noteChange(kind, certname, false);
    if (kind === 'requests' && wasThere) await this.parts.requestOrigins.forget(certname);
    return wasThere;
  }

  private async tellCleaned(certnames: readonly string[]): Promise<void> {
    for (const listener of this.cleanListeners) await Promise.all(certnames.map(listener));
  }
}
