/** The mounts of `fileserver.conf`, read again when the file changes. */

import { readFile, stat } from 'node:fs/promises';
import type { Logger } from '../../platform/log/index.ts';
import { orMissing } from './examine.ts';
import { parseFileserverConf } from './fileserver-conf.ts';
import { directoryMount } from './mounts/directory-mount.ts';
import type { Mount } from './mounts/mount.ts';

/** How long the file is not looked at again. The reference's `filetimeout` is as long. */
const checkEveryMs = 15_000;

export interface CustomMountsOptions {
  /** The file, which need not exist. */
  readonly file: string;
  readonly log: Logger;
  readonly now: () => number;
}

export class CustomMounts {
  private readonly options: CustomMountsOptions;
  private mounts: ReadonlyMap<string, Mount> = new Map();
  private seen: string | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** The last one. Who asks while it is under way waits for it: at the start there is nothing else to answer by. */
  private check: Promise<void> = Promise.resolve();

  constructor(options: CustomMountsOptions) {
    this.options = options;
  }

  /** A file with mistakes leaves the mounts as they were, with a line in the log. */
  async find(name: string): Promise<Mount | undefined> {
    const nowMs = this.options.now();
    if (nowMs - this.checkedAt >= checkEveryMs) {
      this.checkedAt = nowMs;
      this.check = this.check.then(() => this.read());
    }
    await this.check;
    return this.mounts.get(name);
  }

  /** Never rejects. */
  private async read(): Promise<void> {
    const { file, log } = this.options;
    try {
      const state = await orMissing(() => stat(file, { bigint: true }));
      const seen = state === undefined ? 'missing' : `${state.ino} ${state.size} ${state.mtimeNs}`;
      if (seen === this.seen) return;
      const text = state === undefined ? '' : await readFile(file, 'utf8');
      // What has mistakes is told once, not again until it is changed.
      this.seen = seen;
      const { directories, warnings } = parseFileserverConf(text, file);
      for (const warning of warnings) log.warn({ file, warning }, 'ignored an entry of fileserver.conf');
      this.mounts = new Map([...directories].map(([name, path]) => [name, directoryMount(path)]));
    } catch (err) {
      log.error({ file, err }, 'Error parsing fileserver configuration; using old configuration');
    }
  }
}
