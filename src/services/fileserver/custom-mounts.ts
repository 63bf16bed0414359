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
  readonly #options: CustomMountsOptions;
  #mounts: ReadonlyMap<string, Mount> = new Map();
  #seen: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CustomMountsOptions) {
    this.#options = options;
  }

  /** A file with mistakes leaves the mounts as they were, with a line in the log. */
  async find(name: string): Promise<Mount | undefined> {
    if (this.#options.now() - this.#checkedAt >= checkEveryMs) await this.#check();
    return this.#mounts.get(name);
  }

  async #check(): Promise<void> {
    this.#checkedAt = this.#options.now();
    const { file, log } = this.#options;
    const state = await orMissing(() => stat(file, { bigint: true }));
    const seen = state === undefined ? 'missing' : `${state.ino} ${state.size} ${state.mtimeNs}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    if (state === undefined) {
      this.#mounts = new Map();
      return;
    }
    try {
      const { directories, warnings } = parseFileserverConf(await readFile(file, 'utf8'), file);
      for (const warning of warnings) log.warn({ file, warning }, 'ignored an entry of fileserver.conf');
      this.#mounts = new Map([...directories].map(([name, path]) => [name, directoryMount(path)]));
    } catch (err) {
      log.error({ file, err }, 'Error parsing fileserver configuration; using old configuration');
    }
  }
}
