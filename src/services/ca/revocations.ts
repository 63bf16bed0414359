/** The CRL chain: the authority's own list, which grows, and the lists of the authorities above it. */

import { stat } from 'node:fs/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  decodeRevocationLists,
  encodeRevocationList,
  type RevocationList,
  revocationReasons,
  signRevocationList,
} from '../../platform/x509/index.ts';
import { findFile, publicMode } from './ca-directory.ts';
import type { SigningIdentity } from './signing-identity.ts';
import { revocationListValidity } from './validity.ts';

export interface CrlState {
  /** Our list first. */
  readonly pem: string;
  readonly modifiedAt: Date;
}

export class Revocations {
  readonly #path: string;
  readonly #identity: SigningIdentity;
  #own: RevocationList;
  /** The other lists, as PEM. */
  readonly #others: readonly RevocationList[];
  #state: CrlState;

  private constructor(
    path: string,
    identity: SigningIdentity,
    lists: { readonly own: RevocationList; readonly others: readonly RevocationList[] },
    state: CrlState,
  ) {
    this.#path = path;
    this.#identity = identity;
    this.#own = lists.own;
    this.#others = lists.others;
    this.#state = state;
  }

  /** @throws ServiceError `conflict` when the file has no list of this authority */
  static async load(path: string, identity: SigningIdentity): Promise<Revocations> {
    const file = await findFile(path);
    const lists = decodeRevocationLists(file?.content ?? '');
    const own = lists.find(({ issuer }) => issuer.raw.equals(identity.certificate.subject.raw));
    if (!file || !own) throw new ServiceError('conflict', `The file ${path} has no CRL of this authority`);
    const others = lists.filter((list) => list !== own);
    return new Revocations(
      path,
      identity,
      { own, others },
      { pem: file.content, modifiedAt: file.modifiedAt },
    );
  }

  get state(): CrlState {
    return this.#state;
  }

  get lists(): readonly RevocationList[] {
    return [this.#own, ...this.#others];
  }

  get revokedSerials(): ReadonlySet<string> {
    return this.#own.revokedSerials;
  }

  isRevoked(serial: string): boolean {
    return this.#own.revokedSerials.has(serial);
  }

  /**
   * Adds serial numbers to the list and makes it durable.
   *
   * @returns whether the list changed: false when all were on it already
   */
  async revoke(serials: readonly string[], now: Date): Promise<boolean> {
    const fresh = [...new Set(serials)].filter((serial) => !this.isRevoked(serial));
    if (fresh.length === 0) return false;
    const own = this.#own;
    const reason = revocationReasons.keyCompromise;
    const next = await signRevocationList(
      {
        issuer: own.issuer,
        ...revocationListValidity(now),
        number: (own.number ?? 0n) + 1n,
        authorityKeyId: this.#identity.keyId,
        entries: own.entries,
        added: fresh.map((serial) => ({ serial, revokedAt: now, reason })),
      },
      this.#identity.key,
    );
    const pem = [next, ...this.#others].map(encodeRevocationList).join('');
    await writeFileAtomically(this.#path, pem, publicMode);
    this.#own = next;
    this.#state = { pem, modifiedAt: (await stat(this.#path)).mtime };
    return true;
  }
}
