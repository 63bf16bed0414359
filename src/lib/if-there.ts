/** Looking at what need not be there: that there is nothing is an answer, and every other failure is one. */

import { readFileSync } from 'node:fs';

/** @throws what looking throws, unless that says that there is nothing */
export async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

/** As text in UTF-8, for those who cannot wait for it. */
export function readTextIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
