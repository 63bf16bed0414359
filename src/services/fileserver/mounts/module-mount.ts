/** `modules`, `scripts`, `tasks`: a module's name, then a path in one of its folders. */

import { join } from 'node:path';
import { RequestFailed } from '../../../platform/indirection/index.ts';
import { examine } from '../examine.ts';
import type { Mount, MountContext } from './mount.ts';

/**
 * @param folder - of the module
 * @param what - what is missing when a request names no module
 */
export function moduleMount(folder: string, what: 'module' | 'task'): Mount {
  async function find(path: string | undefined, { version, boundary }: MountContext) {
    if (path === undefined || path === '') throw new RequestFailed(`No ${what} specified`);
    const [name = '', rest] = splitOnce(path);
    const module = version.modules.find((candidate) => candidate.name === name);
    if (module === undefined) return undefined;
    // Not normalised: a slash at the end stays, and is part of the metadata.
    const file =
      rest === undefined ? join(module.directory, folder) : `${join(module.directory, folder)}/${rest}`;
    return (await examine(file, 'follow', boundary)) === undefined ? undefined : { path: file, boundary };
  }
  return {
    isVersioned: true,
    find,
    search: async (path, context) => {
      const root = await find(path, context);
      return root === undefined ? undefined : { roots: [root], isShallow: false };
    },
  };
}

function splitOnce(path: string): readonly string[] {
  const slash = path.indexOf('/');
  return slash < 0 ? [path] : [path.slice(0, slash), path.slice(slash + 1)];
}
