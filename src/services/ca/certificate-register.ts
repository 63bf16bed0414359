/** What lies in `signed/` and `requests/`, and in which state it is. */

import type { Logger } from '../../platform/log/index.ts';
import {
  type Certificate,
  decodeCertificates,
  parseCertificateRequest,
  X509Error,
} from '../../platform/x509/index.ts';
import type { CaDirectory, NamedKind } from './ca-directory.ts';
import {
  type CertificateState,
  type CertificateStatus,
  certificateStatus,
  requestStatus,
} from './certificate-status.ts';
import type { Revocations } from './revocations.ts';

export class CertificateRegister {
  readonly #directory: CaDirectory;
  readonly #revocations: Revocations;
  readonly #log: Logger;

  constructor(directory: CaDirectory, revocations: Revocations, log: Logger) {
    this.#directory = directory;
    this.#revocations = revocations;
    this.#log = log;
  }

  /** A node's certificate, or `undefined`. */
  async findCertificate(certname: string): Promise<Certificate | undefined> {
    const file = await this.#directory.find('signed', certname);
    return file && decodeCertificates(file.content)[0];
  }

  /** The state of a node's certificate, or else of its request; cheap, because it may be asked often. */
  async findState(certname: string): Promise<CertificateState | undefined> {
    const certificate = await this.findCertificate(certname);
    if (certificate) return this.#revocations.isRevoked(certificate.serial) ? 'revoked' : 'signed';
    const request = await this.#directory.find('requests', certname);
    return request && 'requested';
  }

  /** The status of a node's certificate, or else of its request. */
  async findStatus(certname: string): Promise<CertificateStatus | undefined> {
    return (await this.#signed(certname)) ?? this.#requested(certname);
  }

  /** All requests, then all certificates; only those in `state` when given. */
  async statuses(state?: CertificateState): Promise<CertificateStatus[]> {
    const requested = state === undefined || state === 'requested' ? await this.#all('requests') : [];
    const signed = state === 'requested' ? [] : await this.#all('signed');
    return [...requested, ...signed].filter((status) => state === undefined || state === status.state);
  }

  /** A file that cannot be read is passed over: it must not hide the others. */
  async #all(kind: NamedKind): Promise<CertificateStatus[]> {
    const found: CertificateStatus[] = [];
    for (const certname of await this.#directory.list(kind)) {
      try {
        const status = await (kind === 'signed' ? this.#signed(certname) : this.#requested(certname));
        if (status) found.push(status);
      } catch (error) {
        if (!(error instanceof X509Error)) throw error;
        this.#log.error({ certname, directory: kind, err: error }, 'unreadable file in CA directory');
      }
    }
    return found;
  }

  async #signed(certname: string): Promise<CertificateStatus | undefined> {
    const certificate = await this.findCertificate(certname);
    if (!certificate) return undefined;
    return certificateStatus(certname, certificate, this.#revocations.isRevoked(certificate.serial));
  }

  async #requested(certname: string): Promise<CertificateStatus | undefined> {
    const file = await this.#directory.find('requests', certname);
    return file && requestStatus(certname, parseCertificateRequest(file.content));
  }
}
