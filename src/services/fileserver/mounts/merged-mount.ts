/** `plugins`, `pluginfacts`, `locales`: one folder of all modules, laid over each other. */

import { join } from 'node:path';
import { examine } from '../examine.ts';
import type { Mount, MountContext } from './mount.ts';

/** @param folder - of each module: `lib`, `facts.d`, `locales` */
export function mergedMount(folder: string): Mount {
  return {
    isVersioned: true,
    find: async (path, context) => {
      const directories = await foldersOf(folder, context);
      if (path === undefined) return rootOf(directories[0], context);
      for (const directory of directories) {
        const file = join(directory, path);
        if ((await examine(file, 'follow', context.boundary)) !== undefined) return rootOf(file, context);
      }
      return undefined;
    },
    // Whatever path is asked for, all of it is listed: the reference knows no other search here.
    search: async (_path, context) => {
      const directories = await foldersOf(folder, context);
      if (directories.length > 0) {
        return { roots: directories.map((path) => ({ path, boundary: context.boundary })), isShallow: false };
      }
      // Agents need a directory to begin with, even when there is nothing in it for them.
      const { modulePath = [], directory } = context.version;
      const roots = modulePath.length > 0 ? modulePath : [directory];
      return { roots: roots.map((path) => ({ path, boundary: context.boundary })), isShallow: true };
    },
  };
}

async function foldersOf(folder: string, context: MountContext): Promise<readonly string[]> {
  const { version, boundary, cache } = context;
  const compute = async () => {
    const found: string[] = [];
    for (const module of version.modules) {
      const path = join(module.directory, folder);
      if ((await examine(path, 'follow', boundary)) !== undefined) found.push(path);
    }
    return found;
  };
  return await cache.remember(version, `folders ${folder}`, compute, (found) => found.length * 100);
}

function rootOf(path: string | undefined, { boundary }: MountContext) {
  return path === undefined ? undefined : { path, boundary };
}
