/** Rows that many nodes refer to: none may be deleted while a transaction begins to refer to it. */

import type { Transaction } from '../../../platform/storage/index.ts';

/** Any number that no other part of the program takes. */
const lockNumber = 712_501;

/** Before something is added that may be there already. */
export async function holdSharedRows(transaction: Transaction): Promise<void> {
  await take(transaction, 'shared');
}

/** Before unreferenced rows are deleted; waits for those that are adding. */
export async function claimSharedRows(transaction: Transaction): Promise<void> {
  await take(transaction, 'exclusive');
}

async function take(transaction: Transaction, mode: 'shared' | 'exclusive'): Promise<void> {
  const statement = transaction.dialect.lock(lockNumber, mode);
  if (statement !== undefined) await transaction.run(statement);
}
