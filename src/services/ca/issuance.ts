/**
 * Signs certificates and makes them durable, many at a time.
 *
 * The order is what keeps the promises: the serial numbers are counted up on disk before they are used, the inventory
 * has its lines before the certificates are on disk, and those are there before anybody is told.
 */

import { writeFilesAtomically } from '../../lib/atomic-file.ts';
import { BatchQueue } from '../../lib/batch-queue.ts';
import {
  type Certificate,
  commonNameOnly,
  encodeCertificate,
  signCertificate,
} from '../../platform/x509/index.ts';
import type { CaDirectory } from './ca-directory.ts';
import type { Draft } from './draft.ts';
import type { Inventory } from './inventory.ts';
import type { SerialNumbers } from './serial-numbers.ts';
import type { SigningIdentity } from './signing-identity.ts';
import { validityFrom } from './validity.ts';

export interface IssuanceParts {
  readonly directory: CaDirectory;
  readonly identity: SigningIdentity;
  readonly inventory: Inventory;
  readonly serials: SerialNumbers;
  readonly now: () => Date;
}

export class Issuance {
  readonly #parts: IssuanceParts;
  readonly #batches: BatchQueue<Draft, Certificate>;

  constructor(parts: IssuanceParts) {
    this.#parts = parts;
    this.#batches = new BatchQueue((drafts) => this.#issueAll(drafts));
  }

  /** Two drafts for one name must not be under way at the same time. */
  issue(draft: Draft): Promise<Certificate> {
    return this.#batches.add(draft);
  }

  async #issueAll(drafts: readonly Draft[]): Promise<readonly Certificate[]> {
    const { directory, inventory, serials } = this.#parts;
    const numbers = await serials.take(drafts.length);
    const certificates = await Promise.all(drafts.map((draft, index) => this.#sign(draft, numbers[index])));
    await inventory.append(certificates);
    await writeFilesAtomically(
      certificates.map((certificate, index) =>
        directory.fileFor('signed', drafts[index]?.certname ?? '', encodeCertificate(certificate)),
      ),
    );
    return certificates;
  }

  #sign(draft: Draft, serial: string | undefined): Promise<Certificate> {
    if (serial === undefined) throw new Error('unreachable: one number was taken for each draft');
    const { identity, now } = this.#parts;
    return signCertificate(
      {
        serial,
        issuer: identity.certificate.subject,
        subject: commonNameOnly(draft.certname),
        ...validityFrom(now(), draft.ttlSeconds),
        publicKeyInfo: draft.publicKeyInfo,
        extensions: draft.extensions,
      },
      identity.signer,
    );
  }
}
