/** Checkouts that an ended process can't leave half done. */

import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { inParallel } from '../../../lib/in-parallel.ts';
import { type Git, GitError } from '../../../platform/git/index.ts';
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

/** Of repository, index, directory and tree each. To start a process costs a server more than what git does here. */
const restoreScript = `
while [ $# -gt 0 ]; do
  [ ! -e "$2.lock" ] || rm -f -- "$2.lock"
  GIT_INDEX_FILE=$2 git -c core.fsync=none --git-dir="$1" --work-tree="$3" read-tree --reset -u "$4" || exit
  shift 4
done
`;
/** So that arguments find room. */
const mostRestoredAtOnce = 200;
/** How many of these scripts run side by side. */
const restoringScripts = 2;
const restoreTimeoutMs = 600_000;

/** Brings directories back to trees that they were brought to before, whatever has been done to them since. */
export async function restoreCheckouts(git: Git, checkouts: readonly TrackedCheckout[]): Promise<void> {
  const atOnce = Math.min(mostRestoredAtOnce, Math.ceil(checkouts.length / restoringScripts));
  const parts = Array.from({ length: Math.ceil(checkouts.length / (atOnce || 1)) }, (_, index) =>
    checkouts.slice(index * atOnce, (index + 1) * atOnce),
  );
  await inParallel(parts, restoringScripts, (some) => restoreSome(git, some));
}

async function restoreSome(git: Git, checkouts: readonly TrackedCheckout[]): Promise<void> {
  const args = checkouts.flatMap(({ cache, directory, index, tree }) => [
    cache.directory,
    index,
    directory,
    tree,
  ]);
  const [first] = checkouts;
  const signal = first === undefined ? {} : { signal: first.signal };
  try {
    await git.runScript('read-tree', restoreScript, args, { ...signal, timeoutMs: restoreTimeoutMs });
  } catch (error) {
    if (first?.signal.aborted === true) throw first.signal.reason;
    if (!(error instanceof GitError)) throw error;
    // Each by itself knows what to do about it.
    for (const checkout of checkouts) await checkOutTracked(checkout);
  }
}
