/** A log in a file: appended to, found again when something else has renamed or removed it (logrotate), never waited for. */

import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { ServiceError } from '../../lib/service-error.ts';
import { BufferedOutput } from './buffered-output.ts';

const heldBytes = 8192;
const heldMs = 100;
/** How often it is looked whether the file is still the one with its name. */
const lookMs = 1000;

export class LogFile {
  private readonly path: string;
  private readonly output: BufferedOutput;
  private fd: number;
  private lookedMs = performance.now();

  /** @throws ServiceError `conflict` naming the setting and the file when it cannot be opened */
  constructor(path: string, setting: string) {
    this.path = path;
    try {
      this.fd = openLog(path);
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new ServiceError('conflict', `${setting} = ${path} cannot be written: ${reason}`, { cause });
    }
    this.output = new BufferedOutput({ fd: () => this.current(), bytes: heldBytes, intervalMs: heldMs });
    process.once('exit', () => this.output.flushSync());
  }

  /** Takes whole lines. What a full disk refuses is lost; the server goes on. */
  write(line: string): void {
    this.output.write(line);
  }

  /** Asked before each write, while none is under way. */
  private current(): number {
    const nowMs = performance.now();
    if (nowMs - this.lookedMs < lookMs) return this.fd;
    this.lookedMs = nowMs;
    try {
      if (isSame(this.path, this.fd)) return this.fd;
      const fresh = openLog(this.path);
      closeSync(this.fd);
      this.fd = fresh;
    } catch {
      // Not now (a directory that is gone, a disk that is full): lines go on to the old file.
    }
    return this.fd;
  }
}

function openLog(path: string): number {
  return openSync(path, 'a', 0o640);
}

function isSame(path: string, fd: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}
