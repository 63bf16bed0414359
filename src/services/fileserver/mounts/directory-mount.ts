/** A mount of `fileserver.conf`: a directory of the server, perhaps another one for each node. */

import { join } from 'node:path';
import { Boundary } from '../boundary.ts';
import { examine } from '../examine.ts';
import type { FilesetRoot } from '../fileset.ts';
import type { Mount } from './mount.ts';

/** @param path - absolute; `%H` is the certname, `%h` its first label, `%d` the rest, `%%` a percent sign */
export function directoryMount(path: string): Mount {
  async function find(relative: string | undefined, certname: string | undefined) {
    const directory = expand(path, certname);
    // A certname has no slashes; one that had would name somebody else's directory.
    if (directory === undefined) return undefined;
    const root: FilesetRoot = {
      path: relative === undefined ? directory : join(directory, relative),
      boundary: new Boundary([directory]),
    };
    return (await exists(root)) ? root : undefined;
  }
  return {
    isVersioned: false,
    find: (relative, { certname }) => find(relative, certname),
    search: async (relative, { certname }) => {
      const root = await find(relative, certname);
      return root === undefined ? undefined : { roots: [root], isShallow: false };
    },
  };
}

/** A link that leads nowhere exists, too: it can be managed as a link. */
async function exists({ path, boundary }: FilesetRoot): Promise<boolean> {
  return (
    (await examine(path, 'follow', boundary)) !== undefined ||
    (await examine(path, 'manage', boundary))?.stat.isSymbolicLink() === true
  );
}

function expand(path: string, certname: string | undefined): string | undefined {
  if (!/%./.test(path)) return path;
  if (certname === undefined || certname.includes('/')) return undefined;
  const values: Readonly<Record<string, string>> = {
    h: certname.replace(/\..*$/s, ''),
    H: certname,
    d: certname.replace(/^[^.]+\./, ''),
    '%': '%',
  };
  return path.replaceAll(/%(.)/g, (whole, key: string) => values[key] ?? whole);
}
