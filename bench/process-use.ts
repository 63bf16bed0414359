/** What a process and those below it have used: from `/proc`. */

import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUse {
  readonly cpuSeconds: number;
  /** Of memory that is resident now. */
  readonly residentMiB: number;
}

/** The kernel counts in hundredths of a second. */
const ticksPerSecond = 100;
const pageBytes = 4096;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly pages: number;
}

/** @param pid - of the first; processes that have ended count for those that waited for them */
export function processUse(pid: number): ProcessUse {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(name) ?? []);
  const tree = new Set([pid]);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { parent, pid: child } of stats) if (tree.has(parent)) tree.add(child);
  }
  const mine = stats.filter(({ pid: one }) => tree.has(one));
  const sum = (value: (stat: Stat) => number): number => mine.reduce((total, stat) => total + value(stat), 0);
  return {
    cpuSeconds: sum(({ ticks }) => ticks) / ticksPerSecond,
    residentMiB: (sum(({ pages }) => pages) * pageBytes) / 2 ** 20,
  };
}

/** `undefined` when it has ended meanwhile. */
function readStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const number = (index: number): number => Number(fields[index - 3] ?? 0);
    const ticks = number(14) + number(15) + number(16) + number(17);
    return { pid: Number(pid), parent: number(4), ticks, pages: number(24) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
