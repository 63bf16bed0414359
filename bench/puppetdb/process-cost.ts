/** What processes have cost so far, of Linux. */

import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** A process with all that descend from it. */
export function processTree(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(Number(name));
    if (fields !== undefined) parents.set(Number(name), Number(fields[1]));
  }
  const found = [pid];
  for (const each of found) {
    for (const [child, parent] of parents) if (parent === each) found.push(child);
  }
  return found;
}

/** Seconds of CPU, also of children that have ended. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statOf(pid);
    if (fields === undefined) continue;
    // utime, stime; of children that were waited for: cutime, cstime.
    for (const index of [11, 12, 13, 14]) ticks += Number(fields[index] ?? 0);
  }
  return ticks / ticksPerSecond;
}

/** Memory of processes in MB; what several map together is counted once. */
export function memoryMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** The fields behind the name: state, parent, ... */
function statOf(pid: number): readonly string[] | undefined {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
