/** Where files may lie once links are resolved. What lies elsewhere is treated as missing. */

import { realpath } from 'node:fs/promises';

export class Boundary {
  private readonly roots: readonly string[];
  private resolved: Promise<readonly string[]> | undefined;

  /** @param roots - directories as they are named, links in them not yet resolved; missing ones are ignored */
  constructor(roots: readonly string[]) {
    this.roots = roots;
  }

  /** @param real - a path without links in it */
  async contains(real: string): Promise<boolean> {
    // Most files lie under the first root as it is named: that costs no call to the system.
    const first = this.roots[0];
    if (first !== undefined && isWithin(real, first)) return true;
    this.resolved ??= resolveAll(this.roots);
    return (await this.resolved).some((root) => isWithin(real, root));
  }
}

/** For directories that the settings name. */
export const anywhere = new Boundary(['/']);

export function isWithin(path: string, directory: string): boolean {
  return (
    path === directory ||
    (path.startsWith(directory) && (path[directory.length] === '/' || directory === '/'))
  );
}

async function resolveAll(roots: readonly string[]): Promise<readonly string[]> {
  const resolved = await Promise.allSettled(roots.map((root) => realpath(root)));
  return resolved.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
