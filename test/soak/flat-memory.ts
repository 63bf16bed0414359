/** Whether servers hold no more at the end of a life than in its middle. */

import type { ServerLife } from './memory-watch.ts';

/** Lives that are shorter say nothing: heaps grow to their usual size first. */
const shortestMs = 6 * 60_000;
/** What garbage that waits to be collected makes of the same heap. */
const mostGrowth = 1.1;

export interface MemoryVerdict {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

export function judgeMemory(lives: readonly ServerLife[]): MemoryVerdict {
  const long = lives.filter(({ samples }) => lengthOf(samples) >= shortestMs);
  const rows = long.map(({ host, samples }) => {
    const [first, middle, end] = [
      [0.2, 0.4],
      [0.4, 0.7],
      [0.7, 1],
    ].map(([from = 0, to = 1]) => meanOf(samples, from, to));
    return { host, minutes: lengthOf(samples) / 60_000, first, middle, end };
  });
  return {
    lines: rows.map(
      ({ host, minutes, first, middle, end }) =>
        `memory of ${host} over ${minutes.toFixed(1)} minutes: ${[first, middle, end].map((value) => `${Math.round(value ?? 0)} MiB`).join(', ')}`,
    ),
    faults: rows
      .filter(({ middle = 0, end = 0 }) => end > middle * mostGrowth)
      .map(
        ({ host, middle, end }) =>
          `${host} holds ${Math.round(end ?? 0)} MiB at the end, ${Math.round(middle ?? 0)} before`,
      ),
  };
}

function lengthOf(samples: ServerLife['samples']): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}

function meanOf(samples: ServerLife['samples'], from: number, to: number): number {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  return part.reduce((sum, { mebibytes }) => sum + mebibytes, 0) / Math.max(1, part.length);
}
