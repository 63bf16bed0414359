/** Which environments are being deployed, or were so only in part: what is staged of them is nothing to be served. */

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../lib/atomic-file.ts';
import type { CodeStorage } from '../termini.ts';

export class UnfinishedDeploys {
  private readonly directory: string;
  private readonly storage: Pick<CodeStorage, 'hold' | 'release'>;

  /** @param directory - where a file for each of them is */
  constructor(directory: string, storage: Pick<CodeStorage, 'hold' | 'release'>) {
    this.directory = directory;
    this.storage = storage;
  }

  /** Those of processes before this one. */
  async load(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const names = (await readdir(this.directory)).filter((name) => !name.endsWith('.tmp'));
    for (const name of names) await this.storage.hold(decodeURIComponent(name));
  }

  /** What is staged of the environment is about to change. */
  async begin(environment: string): Promise<void> {
    await writeFileAtomically(this.fileOf(environment), '');
    await this.storage.hold(environment);
  }

  /** It is whole again, or gone. */
  async end(environment: string): Promise<void> {
    await rm(this.fileOf(environment), { force: true });
    this.storage.release(environment);
  }

  private fileOf(environment: string): string {
    return join(this.directory, encodeURIComponent(environment));
  }
}
