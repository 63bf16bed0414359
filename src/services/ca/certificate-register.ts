/** What lies in `signed/` and `requests/`, and in which state it is. */

import { type Certificate, decodeCertificates } from '../../platform/x509/index.ts';
import type { CaDirectory } from './ca-directory.ts';
import {
  type CertificateState,
  type CertificateStatus,
  certificateStatus,
  requestStatus,
} from './certificate-status.ts';
import { readRequest } from './read-request.ts';
import type { Revocations } from './revocations.ts';

export class CertificateRegister {
  readonly #directory: CaDirectory;
  readonly #revocations: Revocations;

  constructor(directory: CaDirectory, revocations: Revocations) {
    this.#directory = directory;
    this.#revocations = revocations;
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
    const found: (CertificateStatus | undefined)[] = [];
    if (state === undefined || state === 'requested') {
      for (const name of await this.#directory.list('requests')) found.push(await this.#requested(name));
    }
    if (state !== 'requested') {
      for (const name of await this.#directory.list('signed')) found.push(await this.#signed(name));
    }
    return found
      .filter((status) => status !== undefined)
      .filter((status) => state === undefined || state === status.state);
  }

  async #signed(certname: string): Promise<CertificateStatus | undefined> {
    const certificate = await this.findCertificate(certname);
    if (!certificate) return undefined;
    return certificateStatus(certname, certificate, this.#revocations.isRevoked(certificate.serial));
  }

  async #requested(certname: string): Promise<CertificateStatus | undefined> {
    const file = await this.#directory.find('requests', certname);
    return file && requestStatus(certname, readRequest(file.content));
  }
}
