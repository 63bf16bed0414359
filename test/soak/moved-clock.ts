/** A clock that runs ahead of the machine's, for the programs that are started with it: libfaketime, without their timers. */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTime, isPresent } from '../../scripts/debian-packages.ts';

export class MovedClock {
  private readonly file: string;
  private aheadMs = 0;

  /** @param directory - where the file is that programs look into */
  constructor(directory: string) {
    this.file = join(directory, 'clock');
    this.move(0);
  }

  /** Why there can be none here; empty when there can. */
  static obstacle(): string {
    return isPresent(fakeTime) ? '' : `Debian's package ${fakeTime.name} is missing`;
  }

  /** What starts a program that believes this clock. */
  get wrapper(): readonly string[] {
    return [
      'env',
      `LD_PRELOAD=${fakeTime.provides}`,
      `FAKETIME_TIMESTAMP_FILE=${this.file}`,
      'FAKETIME_CACHE_DURATION=1',
      // Timers and waits stay as they are.
      'DONT_FAKE_MONOTONIC=1',
      'FAKETIME_DONT_FAKE_MONOTONIC=1',
      'FAKETIME_DISABLE_SHM=1',
      // Times of files stay as the kernel has them.
      'NO_FAKE_STAT=1',
    ];
  }

  /** Within a second every program sees it. @param milliseconds - back when negative */
  move(milliseconds: number): void {
    this.aheadMs += milliseconds;
    const seconds = Math.round(this.aheadMs / 1000);
    // A program never reads half of it.
    writeFileSync(`${this.file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(`${this.file}.new`, this.file);
  }

  /** `+13:30`, hours and minutes ahead of the machine's. */
  toString(): string {
    const minutes = Math.round(this.aheadMs / 60_000);
    return `+${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  }
}
