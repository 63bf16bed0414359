/**
 * What lies in `signed/` and `requests/`, and in which state it is.
 *
 * The list of all nodes is asked for by consoles and scripts, again and again: what was read and decoded once is
 * kept, and dropped when this process writes. No other process writes to the directory while the authority is open; who
 * asks for one node gets what is on disk.
 */

import type { Logger } from '../../../platform/log/index.ts';
import type { OidNames } from '../../../platform/x509/index.ts';
import {
  type Certificate,
  decodeCertificates,
  parseCertificateRequest,
  X509Error,
} from '../../../platform/x509/index.ts';
import {
  type CertificateState,
  type CertificateStatus,
  certificateStatus,
  encodeStatus,
  requestStatus,
} from '../certificate-status.ts';
import type { Revocations } from '../revocation/revocations.ts';
import type { CaDirectory, NamedKind } from './ca-directory.ts';
import { hasWords, type Searchable, searchable, selected, type WantedStatuses } from './wanted-statuses.ts';

interface KnownStatus {
  /** With the state as of when it was read. */
  readonly status: CertificateStatus;
  readonly search: Searchable;
  /** As JSON, in each state that it was asked for in. */
  readonly encoded: Map<CertificateState, string>;
}

/** Files read at the same time. */
const concurrency = 16;

export class CertificateRegister {
  private readonly directory: CaDirectory;
  private readonly revocations: Revocations;
  private readonly oidNames: OidNames;
  private readonly log: Logger;
  private readonly known = {
    signed: new Map<string, KnownStatus>(),
    requests: new Map<string, KnownStatus>(),
  };
  private readonly pending: Set<string>;

  private constructor(
    directory: CaDirectory,
    revocations: Revocations,
    options: { readonly oidNames: OidNames; readonly log: Logger; readonly pending: Set<string> },
  ) {
    this.directory = directory;
    this.revocations = revocations;
    this.oidNames = options.oidNames;
    this.log = options.log;
    this.pending = options.pending;
  }

  static async open(
    directory: CaDirectory,
    revocations: Revocations,
    oidNames: OidNames,
    log: Logger,
  ): Promise<CertificateRegister> {
    const pending = new Set(await directory.list('requests'));
    return new CertificateRegister(directory, revocations, { oidNames, log, pending });
  }

  /** How many requests wait. */
  get pendingCount(): number {
    return this.pending.size;
  }

  isPending(certname: string): boolean {
    return this.pending.has(certname);
  }

  /** To be told of everything that is written or removed. */
  noteChange(kind: NamedKind, certname: string, isThere: boolean): void {
    this.known[kind].delete(certname);
    if (kind === 'signed') return;
    if (isThere) this.pending.add(certname);
    else this.pending.delete(certname);
  }

  /** A node's certificate, or `undefined`. */
  async findCertificate(certname: string): Promise<Certificate | undefined> {
    const file = await this.directory.find('signed', certname);
    return file && decodeCertificates(file.content)[0];
  }

  /** The state of a node's certificate, or else of its request; cheap, because it may be asked often. */
  async findState(certname: string): Promise<CertificateState | undefined> {
    const certificate = await this.findCertificate(certname);
    if (certificate) return this.revocations.isRevoked(certificate.serial) ? 'revoked' : 'signed';
    const request = await this.directory.find('requests', certname);
    return request && 'requested';
  }

  /** The status of a node's certificate, or else of its request. */
  async findStatus(certname: string): Promise<CertificateStatus | undefined> {
    return (await this.read('signed', certname)) ?? this.read('requests', certname);
  }

  /** All requests, then all certificates, each as JSON; only the wanted ones. */
  async encodedStatuses(wanted: WantedStatuses): Promise<string[]> {
    const { state, words = [] } = wanted;
    const requested = state === undefined || state === 'requested' ? await this.all('requests') : [];
    const signed = state === 'requested' ? [] : await this.all('signed');
    const isWanted = ({ search, status }: KnownStatus) =>
      (state === undefined || state === this.stateOf(status)) && hasWords(search, words);
    const found = selected(requested, signed, wanted, isWanted);
    return found.map((known) => encodeIn(known, this.stateOf(known.status)));
  }

  private stateOf({ certificate }: CertificateStatus): CertificateState {
    if (!certificate) return 'requested';
    return this.revocations.isRevoked(certificate.serial) ? 'revoked' : 'signed';
  }

  /** In the order of their names. */
  private async all(kind: NamedKind): Promise<KnownStatus[]> {
    const certnames = await this.directory.list(kind);
    const found: (KnownStatus | undefined)[] = Array.from({ length: certnames.length });
    const unread: number[] = [];
    for (const [index, certname] of certnames.entries()) {
      found[index] = this.known[kind].get(certname);
      if (found[index] === undefined) unread.push(index);
    }
    const readers = Array.from({ length: Math.min(concurrency, unread.length) }, async () => {
      for (let index = unread.pop(); index !== undefined; index = unread.pop())
        found[index] = await this.readKnown(kind, certnames[index] ?? '');
    });
    await Promise.all(readers);
    return found.filter((known) => known !== undefined);
  }

  /** A file that cannot be read is passed over: it must not hide the others. */
  private async readKnown(kind: NamedKind, certname: string): Promise<KnownStatus | undefined> {
    try {
      const status = await this.read(kind, certname);
      if (!status) return undefined;
      const encoded = new Map<CertificateState, string>();
      const known = { status, search: searchable(status), encoded };
      // Here, file by file, rather than all of them at the end: others want the thread, too.
      encodeIn(known, status.state);
      this.known[kind].set(certname, known);
      return known;
    } catch (error) {
      if (!(error instanceof X509Error)) throw error;
      this.log.error({ certname, directory: kind, err: error }, 'unreadable file in CA directory');
      return undefined;
    }
  }

  private async read(kind: NamedKind, certname: string): Promise<CertificateStatus | undefined> {
    if (kind === 'requests') {
      const file = await this.directory.find('requests', certname);
      return file && requestStatus(certname, parseCertificateRequest(file.content), this.oidNames);
    }
    const certificate = await this.findCertificate(certname);
    if (!certificate) return undefined;
    const isRevoked = this.revocations.isRevoked(certificate.serial);
    return certificateStatus(certname, certificate, isRevoked, this.oidNames);
  }
}

function encodeIn(known: KnownStatus, state: CertificateState): string {
  const before = known.encoded.get(state);
  if (before !== undefined) return before;
  const encoded = encodeStatus({ ...known.status, state });
  known.encoded.set(state, encoded);
  return encoded;
}
