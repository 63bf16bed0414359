/**
 * Kills servers at random moments of a deploy, as a power failure of the process would: in commit, fetch, checkout, flip.
 *
 * After each the server is started again, and must come to serve the version that was staged, whole; all the time every
 * catalog must be made of one version.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedInstallation } from './watched-installation.ts';

export interface KillResult {
  readonly rounds: number;
  /** Milliseconds from the start of the killed server until both served what was staged. */
  readonly healedMs: readonly number[];
  /** Commits that the primary was still able to answer. */
  readonly answered: number;
}

export async function killRounds(
  watched: WatchedInstallation,
  rounds: number,
  random: () => number,
): Promise<KillResult> {
  const healedMs: number[] = [];
  let answered = 0;
  for (let round = 1; round <= rounds; round += 1) {
    watched.stage(round);
    const { installation } = watched;
    const isPrimary = round % 2 === 1;
    const victim = isPrimary ? installation.primary : installation.compileServers[0];
    const committing = watched.commit();
    // A deploy takes about this long: commit first, then fetch, checkout and flip on both.
    await sleep(random() * (isPrimary ? 400 : 800));
    await victim?.kill();
    if ((await committing).status === 200) answered += 1;
    const began = performance.now();
    await (isPrimary ? installation.startPrimary() : installation.startCompileServer(0));
    const { status, text } = await watched.commit();
    if (status !== 200) throw new Error(`commit after round ${round}: status ${status} ${text}`);
    await watched.servesEverywhere(round);
    healedMs.push(Math.round(performance.now() - began));
  }
  return { rounds, healedMs, answered };
}
