/** The example control repository, so that nodes of different scenarios don't share the files that they manage. */

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

const managed = '/tmp/bunraku-demo';
const naming = [
  'data/common.yaml',
  'site-modules/profile/manifests/base.pp',
  'site-modules/website/lib/facter/website_pages.rb',
];

/**
 * Copies the example into an environment's directory. Its nodes then manage their files below `directory`, which is made, and
 * not below the directory that the README names: what an earlier run has left there would change how a first run ends.
 */
export function copyExample(environment: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  cpSync(join(inject('project'), 'examples', 'control-repo'), environment, { recursive: true });
  for (const name of naming) {
    const path = join(environment, name);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(managed)) throw new Error(`${name} doesn't name ${managed}`);
    writeFileSync(path, text.replaceAll(managed, directory));
  }
}
