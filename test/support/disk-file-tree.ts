/** A file tree on the real disk, for tests: logical paths are the real ones. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { FileTree, FileTreeEntry } from '../../src/language/environment/index.ts';

export class DiskFileTree implements FileTree {
  readBytes(path: string): Uint8Array | undefined {
    return this.kind(path) === 'file' ? readFileSync(path) : undefined;
  }

  readText(path: string): string | undefined {
    return this.kind(path) === 'file' ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : undefined;
  }

  list(path: string): readonly FileTreeEntry[] | undefined {
    if (this.kind(path) !== 'directory') return undefined;
    return readdirSync(path)
      .sort()
      .flatMap((name) => {
        const kind = this.kind(`${path}/${name}`);
        return kind === undefined ? [] : [{ name, kind }];
      });
  }

  kind(path: string): 'file' | 'directory' | undefined {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true) return 'file';
    return stat?.isDirectory() === true ? 'directory' : undefined;
  }
}
