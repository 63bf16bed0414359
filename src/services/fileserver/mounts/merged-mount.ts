/** `plugins`, `pluginfacts`, `locales`: one folder of all modules, laid over each other. */

import { join } from 'node:path';
import { anywhere } from '../boundary.ts';
import { examine } from '../examine.ts';
import type { FilesetRoot } from '../fileset.ts';
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
      return { roots: await emptyRoots(context), isShallow: true };
    },
  };
}

/**
 * Agents need a directory to begin with, also when no module has anything for them: those of the module path, wherever
 * they lie. Nothing in them is listed, so that no boundary is needed.
 */
async function emptyRoots({ codeDirectory, version }: MountContext): Promise<readonly FilesetRoot[]> {
  const { modulePath = [], directory } = version;
  const roots: FilesetRoot[] = [];
  for (const path of modulePath)
    if ((await examine(path, 'follow', anywhere)) !== undefined) roots.push({ path, boundary: anywhere });
  if (roots.length > 0) return roots;
  const isThere = (await examine(codeDirectory, 'follow', anywhere)) !== undefined;
  return [{ path: isThere ? codeDirectory : directory, boundary: anywhere }];
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
