/** A directory of archives in place of a forge: `OWNER-NAME-VERSION.tar.gz`. */

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DeployError } from '../deploy-error.ts';
import type { Forge } from './forge.ts';
import { compareVersions, isPreRelease } from './versions.ts';

export class DirectoryForge implements Forge {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** The newest that is there; one that is not finished only when there are no others. */
  async latestVersion(slug: string): Promise<string> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      throw new DeployError(`${this.directory} can't be read: ${(error as Error).message}`, error);
    });
    const versions = names.flatMap((name) => versionOf(name, slug) ?? []).sort(compareVersions);
    const latest = versions.findLast((version) => !isPreRelease(version)) ?? versions.at(-1);
    if (latest === undefined)
      throw new DeployError(`The module ${slug} does not exist in ${this.directory}.`);
    return latest;
  }

  archive(slug: string, version: string): Promise<string> {
    const path = join(this.directory, `${slug}-${version}.tar.gz`);
    if (existsSync(path)) return Promise.resolve(path);
    return Promise.reject(
      new DeployError(`The module release ${slug}-${version} does not exist in ${this.directory}.`),
    );
  }
}

function versionOf(name: string, slug: string): string | undefined {
  if (!name.startsWith(`${slug}-`) || !name.endsWith('.tar.gz')) return undefined;
  const version = name.slice(slug.length + 1, -'.tar.gz'.length);
  return /^\d+\.\d+\.\d+/.test(version) ? version : undefined;
}
