/** The Debian package, as `npm run package` makes it. */

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the path of the package, below `directory` */
export function makeDebianPackage(project: string, directory: string): string {
  execFileSync(process.execPath, [join(project, 'scripts/package.ts'), directory], { stdio: 'ignore' });
  const name = readdirSync(directory).find((each) => each.endsWith('.deb'));
  if (name === undefined) throw new Error(`there is no package in ${directory}`);
  return join(directory, name);
}
