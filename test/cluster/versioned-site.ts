/** The code that the cluster deploys: every file says its version, those that agents fetch included. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunResult } from '../../demo/simulated-agent.ts';
import { stageVersion, versionOf } from '../support/versioned-environment.ts';

const size = { modules: 5, ballast: 20 };
const sources = ['one', 'two'];

/** Puts a version into an environment, file by file: what is seen meanwhile is a mixture. */
export function stageSite(environment: string, version: number, filesDirectory: string): void {
  const files: Record<string, string> = {
    'modules/fetched/facts.d/fetched.txt': `fetched_version=${version}\n`,
    'manifests/fetched.pp': sources
      .map(
        (name) => `file { "${filesDirectory}/\${trusted['certname']}-${name}":
  ensure => file,
  source => 'puppet:///modules/fetched/${name}',
}
`,
      )
      .join(''),
  };
  for (const name of sources) files[`modules/fetched/files/${name}`] = String(version);
  for (const [name, text] of Object.entries(files)) {
    const path = join(environment, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
  stageVersion(environment, version, size);
}

/**
 * The one version of which a run's catalog and files were.
 *
 * @throws Error naming what disagrees
 */
export function versionOfRun({ catalog, contents }: Pick<RunResult, 'catalog' | 'contents'>): string {
  const version = versionOf(catalog, size);
  for (const [title, text] of Object.entries(contents))
    if (text !== version)
      throw new Error(`a mixture: ${title} has version ${text}, its catalog version ${version}`);
  return version;
}

/** The version that a catalog asked for by hand is of. @throws Error for a mixture */
export function versionOfCatalog(text: string): string {
  return versionOf(JSON.parse(text), size);
}
