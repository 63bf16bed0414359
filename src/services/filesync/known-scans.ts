/** What was seen of directories when they were committed the last time: where nothing has changed, nothing is read. */

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { removeUnfinishedFiles, writeFileAtomically } from '../../lib/atomic-file.ts';
import type { KnownScan } from './scan.ts';

const HeadWire = z.object({
  tree: z.string().optional(),
  emptyDirectories: z.array(z.string()),
  startedSeconds: z.number(),
  isSettled: z.boolean(),
});

/** A directory as it was committed. */
export interface KnownDirectory {
  /** The tree that its files became; absent when there were none. */
  readonly tree?: string | undefined;
  readonly emptyDirectories: readonly string[];
  readonly scan: KnownScan;
}

export class KnownScans {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Removes what processes that were killed have left. */
  async removeUnfinished(): Promise<void> {
    await removeUnfinishedFiles(this.directory);
  }

  /** @returns `undefined` when nothing is known, or nothing that can be used */
  async load(name: string): Promise<KnownDirectory | undefined> {
    try {
      const content = await readFile(join(this.directory, name));
      const end = content.indexOf(10);
      const head = HeadWire.parse(JSON.parse(content.toString('utf8', 0, end)));
      const { tree, emptyDirectories, startedSeconds, isSettled } = head;
      return {
        tree,
        emptyDirectories,
        scan: { startedSeconds, isSettled, print: content.subarray(end + 1) },
      };
    } catch {
      return undefined; // never seen or damaged: everything is read again
    }
  }

  async save(name: string, { tree, emptyDirectories, scan }: KnownDirectory): Promise<void> {
    const { startedSeconds, isSettled, print } = scan;
    const head = JSON.stringify({ tree, emptyDirectories, startedSeconds, isSettled });
    await mkdir(this.directory, { recursive: true });
    await writeFileAtomically(join(this.directory, name), Buffer.concat([Buffer.from(`${head}\n`), print]));
  }

  async forget(name: string): Promise<void> {
    await rm(join(this.directory, name), { force: true });
  }

  async forgetAll(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
