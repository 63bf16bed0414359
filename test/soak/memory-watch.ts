/** What servers hold in memory over their lives, their helpers (Ruby, git) included. */

import { readdirSync, readFileSync } from 'node:fs';

export interface MemorySample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly mebibytes: number;
}

/** One life of a server: from a start to its end. */
export interface ServerLife {
  readonly host: string;
  readonly pid: number;
  readonly samples: MemorySample[];
}

const everyMs = 5000;

export class MemoryWatch {
  readonly lives: ServerLife[] = [];
  private readonly timer: NodeJS.Timeout;

  /** @param running - the servers that run now, by host */
  constructor(running: () => ReadonlyMap<string, number>) {
    this.timer = setInterval(() => this.look(running()), everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(running: ReadonlyMap<string, number>): void {
    const children = childrenByParent();
    for (const [host, pid] of running) {
      const mebibytes = withDescendants(pid, children).reduce((sum, each) => sum + residentOf(each), 0);
      if (mebibytes === 0) continue; // it has just ended
      let life = this.lives.find((each) => each.pid === pid);
      if (life === undefined) {
        life = { host, pid, samples: [] };
        this.lives.push(life);
      }
      life.samples.push({ at: Date.now(), mebibytes });
    }
  }
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(readIfThere(`/proc/${name}/status`))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function withDescendants(pid: number, children: ReadonlyMap<number, readonly number[]>): readonly number[] {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => withDescendants(child, children))];
}

/** Shared memory counts by its share, as the kernel reports it (`Pss`), in MiB. */
function residentOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

/** Processes end while one looks. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
