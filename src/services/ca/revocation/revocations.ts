/** The CRL chain: the authority's own list, which grows, and the lists of the authorities above it. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { writeFileAtomically } from '../../../lib/atomic-file.ts';
import { BatchQueue } from '../../../lib/batch-queue.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  decodeRevocationLists,
  encodeRevocationList,
  isSignedBy,
  type RevocationList,
  retainRevoked,
  revocationReasons,
  signRevocationList,
  X509Error,
} from '../../../platform/x509/index.ts';
import { findFile, publicMode } from '../directory/ca-directory.ts';
import type { SigningIdentity } from '../issuance/signing-identity.ts';
import { revocationListValidity } from '../validity.ts';

export interface CrlState {
  /** Our list first. */
  readonly pem: string;
  readonly modifiedAt: Date;
  /** Another one for each state of the file. */
  readonly etag: string;
}

/** One change of the list. */
interface CrlChange {
  readonly now: Date;
  readonly added: readonly string[];
  /** Which serial numbers stay; all when absent. */
  readonly keep?: (serial: string) => boolean;
  /** Newer lists of the authorities above. */
  readonly others?: readonly RevocationList[];
  /** Sign anew even if nothing changes: the old one would lapse. */
  readonly isForced?: boolean;
}

/** What a change did. */
export interface CrlOutcome {
  readonly hasChanged: boolean;
  /** Entries that `keep` refused. */
  readonly removed: number;
  /** Entries that were there more than once. */
  readonly duplicates: number;
}

export class Revocations {
  private readonly path: string;
  private readonly identity: SigningIdentity;
  private ownList: RevocationList;
  private otherLists: readonly RevocationList[];
  private currentState: CrlState;
  private readonly changes = new BatchQueue((changes: readonly CrlChange[]) => this.applyAll(changes));

  private constructor(
    path: string,
    identity: SigningIdentity,
    lists: { readonly own: RevocationList; readonly others: readonly RevocationList[] },
    state: CrlState,
  ) {
    this.path = path;
    this.identity = identity;
    this.ownList = lists.own;
    this.otherLists = lists.others;
    this.currentState = state;
  }

  /** @throws ServiceError `conflict` when the file is damaged or has no list of this authority */
  static async load(path: string, identity: SigningIdentity): Promise<Revocations> {
    const file = await findFile(path);
    const lists = decodeLists(path, file?.content ?? '');
    const own = lists.find(({ issuer }) => issuer.raw.equals(identity.certificate.subject.raw));
    if (!file || !own) throw damaged(path, 'it has no CRL of this authority');
    // Old Puppet CAs signed with SHA-1, which is not verified any more.
    const isVerifiable = own.signatureAlgorithm.equals(identity.signer.algorithm);
    if (isVerifiable && !isSignedBy(own, identity.certificate.publicKeyInfo))
      throw damaged(path, 'the signature of the CRL of this authority is wrong');
    const others = lists.filter((list) => list !== own);
    return new Revocations(path, identity, { own, others }, stateOf(file.content, file.modifiedAt));
  }

  get state(): CrlState {
    return this.currentState;
  }

  get own(): RevocationList {
    return this.ownList;
  }

  /** The lists of the authorities above. */
  get others(): readonly RevocationList[] {
    return this.otherLists;
  }

  get lists(): readonly RevocationList[] {
    return [this.ownList, ...this.otherLists];
  }

  get revokedSerials(): ReadonlySet<string> {
    return this.ownList.revokedSerials;
  }

  isRevoked(serial: string): boolean {
    return this.ownList.revokedSerials.has(serial);
  }

  /**
   * Adds serial numbers to the list and makes it durable. What is revoked at the same time shares one list.
   *
   * @returns whether the list changed: false when all were on it already
   */
  async revoke(serials: readonly string[], now: Date): Promise<boolean> {
    if (serials.every((serial) => this.isRevoked(serial))) return false;
    return (await this.changes.add({ added: serials, now })).hasChanged;
  }

  /** Signs the list anew with a later end, without the entries that `keep` refuses and without repeated ones. */
  renew(now: Date, keep: (serial: string) => boolean = () => true): Promise<CrlOutcome> {
    return this.changes.add({ added: [], keep, now, isForced: true });
  }

  /** As `renew`, but only when there is something to remove. */
  prune(now: Date, keep: (serial: string) => boolean): Promise<CrlOutcome> {
    return this.changes.add({ added: [], keep, now });
  }

  /** Takes newer lists of the authorities above. */
  async replaceOthers(others: readonly RevocationList[], now: Date): Promise<void> {
    await this.changes.add({ added: [], others, now });
  }

  private async applyAll(changes: readonly CrlChange[]): Promise<readonly CrlOutcome[]> {
    const outcomes: CrlOutcome[] = [];
    const now = changes.at(-1)?.now ?? new Date(0);
    const seen = new Set<string>();
    const added: string[] = [];
    let base: Pick<RevocationList, 'entries' | 'revokedSerials'> = this.ownList;
    let others = this.otherLists;
    let mustSign = false;
    let mustWrite = false;
    for (const change of changes) {
      const fresh = [...new Set(change.added)].filter(
        (serial) => !seen.has(serial) && !this.isRevoked(serial),
      );
      for (const serial of fresh) seen.add(serial);
      added.push(...fresh);
      const before = base.revokedSerials.size;
      const retained = change.keep && retainRevoked(base.entries, change.keep);
      const removed = retained ? before - retained.revokedSerials.size : 0;
      const duplicates = retained?.duplicates ?? 0;
      if (retained) base = retained;
      others = change.others ?? others;
      const signs = fresh.length > 0 || removed + duplicates > 0 || change.isForced === true;
      mustSign ||= signs;
      mustWrite ||= change.others !== undefined;
      outcomes.push({ hasChanged: signs || change.others !== undefined, removed, duplicates });
    }
    if (mustSign) await this.sign(base, added, others, now);
    else if (mustWrite) await this.write(this.ownList, others);
    return outcomes;
  }

  private async sign(
    base: Pick<RevocationList, 'entries' | 'revokedSerials'>,
    added: readonly string[],
    others: readonly RevocationList[],
    now: Date,
  ): Promise<void> {
    const own = this.ownList;
    const reason = revocationReasons.keyCompromise;
    const next = await signRevocationList(
      {
        issuer: own.issuer,
        ...revocationListValidity(now),
        number: (own.number ?? 0n) + 1n,
        authorityKeyId: this.identity.keyId,
        base,
        added: added.map((serial) => ({ serial, revokedAt: now, reason })),
      },
      this.identity.signer,
    );
    await this.write(next, others);
  }

  private async write(own: RevocationList, others: readonly RevocationList[]): Promise<void> {
    const pem = [own, ...others].map(encodeRevocationList).join('');
    await writeFileAtomically(this.path, pem, publicMode);
    this.ownList = own;
    this.otherLists = others;
    this.currentState = stateOf(pem, (await stat(this.path)).mtime);
  }
}

function decodeLists(path: string, pem: string): RevocationList[] {
  try {
    return decodeRevocationLists(pem);
  } catch (error) {
    if (error instanceof X509Error) throw damaged(path, error.message);
    throw error;
  }
}

/** Signing an empty list instead would make every revoked certificate valid again. */
function damaged(path: string, problem: string): ServiceError {
  return new ServiceError(
    'conflict',
    `The file ${path} is damaged: ${problem}. Restore it from a backup, or from crl.pem in the ssldir of this ` +
      'server or of an agent, which is a copy of it.',
    { kind: 'puppet-ca/damaged' },
  );
}

function stateOf(pem: string, modifiedAt: Date): CrlState {
  return { pem, modifiedAt, etag: `"${createHash('sha1').update(pem).digest('base64url')}"` };
}
