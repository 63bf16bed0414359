/**
 * Signs certificates and makes them durable, many at a time.
 *
 * The order is what keeps the promises: the serial numbers are counted up on disk before they are used, the inventory
 * has its lines before the certificates are on disk, and those are there before anybody is told.
 */

import { writeFilesAtomically } from '../../../lib/atomic-file.ts';
import { BatchQueue } from '../../../lib/batch-queue.ts';
import {
  type Certificate,
  commonNameOnly,
  encodeCertificate,
  signCertificate,
} from '../../../platform/x509/index.ts';
import type { CaDirectory } from '../directory/ca-directory.ts';
import type { Inventory } from '../directory/inventory.ts';
import type { SerialNumbers } from '../directory/serial-numbers.ts';
import { validityFrom } from '../validity.ts';
import type { Draft } from './draft.ts';
import { lintCertificate } from './lint.ts';
import type { SigningIdentity } from './signing-identity.ts';

export interface IssuanceParts {
  readonly directory: CaDirectory;
  readonly identity: SigningIdentity;
  readonly inventory: Inventory;
  readonly serials: SerialNumbers;
  readonly now: () => Date;
}

export class Issuance {
  private readonly parts: IssuanceParts;
  private readonly batches: BatchQueue<Draft, PromiseSettledResult<Certificate>>;

  constructor(parts: IssuanceParts) {
    this.parts = parts;
    this.batches = new BatchQueue((drafts) => this.issueAll(drafts));
  }

  /**
   * Two drafts for one name must not be under way at the same time.
   *
   * @throws ServiceError `conflict` for a draft that the lint refuses
   */
  async issue(draft: Draft): Promise<Certificate> {
    const outcome = await this.batches.add(draft);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** A draft that cannot be signed fails alone; a disk that cannot be written to fails all. */
  private async issueAll(drafts: readonly Draft[]): Promise<readonly PromiseSettledResult<Certificate>[]> {
    const { directory, inventory, serials } = this.parts;
    const numbers = await serials.take(drafts.length);
    const outcomes = await Promise.allSettled(drafts.map((draft, index) => this.sign(draft, numbers[index])));
    await inventory.append(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    await writeFilesAtomically(
      outcomes.flatMap((one, index) =>
        one.status === 'fulfilled'
          ? [directory.fileFor('signed', drafts[index]?.certname ?? '', encodeCertificate(one.value))]
          : [],
      ),
    );
    return outcomes;
  }

  private async sign(draft: Draft, serial: string | undefined): Promise<Certificate> {
    if (serial === undefined) throw new Error('unreachable: one number was taken for each draft');
    const { identity } = this.parts;
    const now = this.parts.now();
    return signCertificate(
      {
        serial,
        issuer: identity.certificate.subject,
        subject: commonNameOnly(draft.certname),
        ...validityFrom(now, draft.ttlSeconds),
        publicKeyInfo: draft.publicKeyInfo,
        extensions: draft.extensions,
      },
      { ...identity.signer, sign: (data) => identity.signer.sign(data, draft.replaced) },
      (content) =>
        lintCertificate(content, {
          certname: draft.certname,
          profile: draft.profile,
          issuer: identity,
          now,
        }),
    );
  }
}
