/** Links to the live versions where people and scripts look for code: `/etc/puppetlabs/code/environments/NAME`. */

import { lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifThere } from '../../lib/if-there.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CodeVersion } from './code-versions.ts';

export interface LiveLinksOptions {
  /** Where the link to a version belongs. */
  readonly pathOf: (version: CodeVersion) => string;
  /** Links into this directory are ours; whatever else is in the way stays. */
  readonly ownDirectory: string;
  readonly log: Logger;
}

export class LiveLinks {
  private readonly options: LiveLinksOptions;
  /** Directories in which links of ours have been. */
  private readonly parents = new Set<string>();
  private readonly complained = new Set<string>();

  constructor(options: LiveLinksOptions) {
    this.options = options;
  }

  /** Never rejects: nothing is served from here. */
  async update(live: readonly CodeVersion[]): Promise<void> {
    const wanted = new Map(live.map((version) => [this.options.pathOf(version), version.directory]));
    for (const [path, target] of wanted) await this.attempt(path, () => this.link(path, target));
    for (const parent of this.parents) await this.attempt(parent, () => this.removeOthers(parent, wanted));
  }

  private async link(path: string, target: string): Promise<void> {
    this.parents.add(dirname(path));
    const present = await this.presentAt(path);
    if (present === target) return;
    if (present === 'foreign') throw new Error('something else is there');
    await mkdir(dirname(path), { recursive: true });
    // Environments' names have no dots: this cannot be mistaken for one.
    const next = join(dirname(path), '.live-link');
    await rm(next, { force: true });
    await symlink(target, next);
    await rename(next, path);
  }

  private async removeOthers(parent: string, wanted: ReadonlyMap<string, string>): Promise<void> {
    for (const name of await readdir(parent)) {
      const path = join(parent, name);
      if (wanted.has(path)) continue;
      const present = await this.presentAt(path);
      if (present !== undefined && present !== 'foreign') await rm(path, { force: true });
    }
  }

  /** @returns where a link of ours leads, or `foreign` */
  private async presentAt(path: string): Promise<string | undefined> {
    const state = await ifThere(lstat(path));
    if (state === undefined) return undefined;
    if (!state.isSymbolicLink()) return 'foreign';
    const target = await readlink(path);
    return target.startsWith(`${this.options.ownDirectory}/`) ? target : 'foreign';
  }

  private async attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.complained.delete(path);
    } catch (err) {
      if (this.complained.has(path)) return;
      this.complained.add(path);
      this.options.log.warn({ path, err }, 'no link to the live code here');
    }
  }
}
