/** A disk that is full: a small file system in memory below the code of one server, filled up. Needs root. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedInstallation } from './watched-installation.ts';

/** Whether this process may mount file systems. */
export function canMount(): boolean {
  return process.geteuid?.() === 0 && process.platform === 'linux';
}

export class SmallDisk {
  readonly path: string;

  constructor(path: string, megabytes: number) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  }

  /** Until nothing more fits, also after what goes on in the background has removed what it removes. */
  async fill(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet += 1) {
      const { bavail, bsize } = statfsSync(this.path);
      if (bavail > 0) {
        quiet = 0;
        this.write(bavail * bsize);
      }
      await sleep(250);
    }
  }

  private write(bytes: number): void {
    try {
      writeFileSync(join(this.path, 'filler'), Buffer.alloc(bytes, 1), { flag: 'a' });
    } catch (error) {
      // Somebody else wrote meanwhile: it is as full as it gets.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  /** Leaves room for so many bytes, no more. */
  leave(bytes: number): void {
    this.free();
    const { bavail, bsize } = statfsSync(this.path);
    const filler = Math.max(0, bavail * bsize - bytes);
    if (filler > 0) writeFileSync(join(this.path, 'filler'), Buffer.alloc(filler, 1));
  }

  free(): void {
    rmSync(join(this.path, 'filler'), { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path]);
  }
}

/** Where a server keeps its code. */
export function codeDirectoryOf(watched: WatchedInstallation, server: 'primary' | 'compile1'): string {
  return join(watched.installation.options.directory, server, 'state', 'filesync');
}
