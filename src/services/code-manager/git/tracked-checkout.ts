/** Checkouts that an ended process can't leave half done. */

import { access, readFile, rm, writeFile } from 'node:fs/promises';
import type { GitCache } from './git-cache.ts';

export interface TrackedCheckout {
  readonly cache: GitCache;
  /** A commit or a tree. */
  readonly tree: string;
  readonly directory: string;
  readonly index: string;
  readonly signal: AbortSignal;
}

/**
 * Brings a directory to a tree. What an earlier checkout had begun is finished first: only then git knows of each file
 * that it wrote.
 */
export async function checkOutTracked(checkout: TrackedCheckout): Promise<void> {
  const { cache, tree, directory, index, signal } = checkout;
  const marker = markerOf(checkout);
  const pending = await readFile(marker, 'utf8').catch(() => undefined);
  if (pending !== undefined && pending !== tree) {
    await cache.checkOut(pending, directory, index, signal).catch(async (error: unknown) => {
      if (signal.aborted) throw error;
      await Promise.all([directory, index].map((path) => rm(path, { recursive: true, force: true })));
    });
  }
  await writeFile(marker, tree);
  await cache.checkOut(tree, directory, index, signal);
  await rm(marker, { force: true });
}

/** Whether a checkout has begun and not ended. */
export function isUnderWay(checkout: TrackedCheckout): Promise<boolean> {
  return access(markerOf(checkout)).then(
    () => true,
    () => false,
  );
}

function markerOf({ index }: TrackedCheckout): string {
  return `${index}.pending`;
}
