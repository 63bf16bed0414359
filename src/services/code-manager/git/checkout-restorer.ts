/** Brings directories back to the trees that they were brought to before, whatever has been done to them since. */

import { type Git, GitError } from '../../../platform/git/index.ts';
import { checkOutTracked, type TrackedCheckout } from './tracked-checkout.ts';

/** Of repository, index, directory and tree each: to start a process costs more than what git does here. */
const restoreScript = `
while [ $# -gt 0 ]; do
  [ ! -e "$2.lock" ] || rm -f -- "$2.lock"
  GIT_INDEX_FILE=$2 git -c core.fsync=none --git-dir="$1" --work-tree="$3" read-tree --reset -u "$4" || exit
  shift 4
done
`;
/** So that those who come later need not wait for all, and that arguments find room. */
const mostAtOnce = 16;
/** How many of these scripts run side by side. */
const scripts = 2;
const timeoutMs = 600_000;

export class CheckoutRestorer {
  private readonly git: Git;
  private readonly waiting: TrackedCheckout[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly failures: unknown[] = [];

  constructor(git: Git) {
    this.git = git;
  }

  /** Begins with it as soon as there is room, while others are still being fetched. */
  add(checkout: TrackedCheckout): void {
    this.waiting.push(checkout);
    // Several changes at once go into one script.
    queueMicrotask(() => this.begin());
  }

  /** Rejects with the first failure when nothing is left to do. */
  async end(): Promise<void> {
    this.begin();
    while (this.running.size > 0) await Promise.all(this.running);
    if (this.failures.length > 0) throw this.failures[0];
  }

  private begin(): void {
    while (this.running.size < scripts && this.waiting.length > 0) {
      const share = Math.ceil(this.waiting.length / (scripts - this.running.size));
      const work: Promise<void> = this.restore(this.waiting.splice(0, Math.min(share, mostAtOnce)))
        .catch((error: unknown) => {
          this.failures.push(error);
          this.waiting.length = 0;
        })
        .finally(() => {
          this.running.delete(work);
          this.begin();
        });
      this.running.add(work);
    }
  }

  private async restore(checkouts: readonly TrackedCheckout[]): Promise<void> {
    const args = checkouts.flatMap(({ cache, directory, index, tree }) => [
      cache.directory,
      index,
      directory,
      tree,
    ]);
    const [first] = checkouts;
    const signal = first === undefined ? {} : { signal: first.signal };
    try {
      await this.git.runScript('read-tree', restoreScript, args, { ...signal, timeoutMs });
    } catch (error) {
      if (first?.signal.aborted === true) throw first.signal.reason;
      if (!(error instanceof GitError)) throw error;
      // Each by itself knows what to do about it.
      for (const checkout of checkouts) await checkOutTracked(checkout);
    }
  }
}
