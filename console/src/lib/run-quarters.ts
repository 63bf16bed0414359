/** The runs of a quarter of an hour in words. */

import type { RunOutcome } from '../../../src/services/console/wire.ts';
import { statusWords } from './run-status.ts';

type Counts = Readonly<Record<RunOutcome, number>>;

export function sumOfRuns(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** `12 runs: 2 failed, 10 unchanged`; the worst first. */
export function runsText(counts: Counts): string {
  const sum = sumOfRuns(counts);
  if (sum === 0) return 'no run';
  const kinds = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([outcome, count]) =>
        `${count.toLocaleString('en')} ${statusWords[outcome as RunOutcome].toLowerCase()}`,
    );
  return `${sum === 1 ? '1 run' : `${sum.toLocaleString('en')} runs`}: ${kinds.join(', ')}`;
}
