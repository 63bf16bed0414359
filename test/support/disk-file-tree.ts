/** A file tree on the real disk, for tests: logical paths are the real ones, but for links. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { FileTree, FileTreeEntry } from '../../src/language/environment/index.ts';

/** What a link can hold at most. */
const longestLink = 4096;

/**
 * A checkout without symbolic links has small files in their place that hold the path; here they are links all the same.
 * The corpora are delivered as such checkouts.
 */
export class DiskFileTree implements FileTree {
  private readonly links = new Map<string, string>();

  readBytes(path: string): Uint8Array | undefined {
    return this.kind(path) === 'file' ? readFileSync(this.resolve(path)) : undefined;
  }

  readText(path: string): string | undefined {
    return this.kind(path) === 'file'
      ? readFileSync(this.resolve(path), 'utf8').replace(/^\uFEFF/, '')
      : undefined;
  }

  list(path: string): readonly FileTreeEntry[] | undefined {
    if (this.kind(path) !== 'directory') return undefined;
    return readdirSync(this.resolve(path))
      .sort()
      .flatMap((name) => {
        const kind = this.kind(`${path}/${name}`);
        return kind === undefined ? [] : [{ name, kind }];
      });
  }

  kind(path: string): 'file' | 'directory' | undefined {
    const stat = statSync(this.resolve(path), { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return 'directory';
    if (stat?.isFile() !== true) return undefined;
    return this.isModuleLink(path, stat.size) ? 'directory' : 'file';
  }

  /** Only where modules are: elsewhere a small file with a path in it is just that. */
  private isModuleLink(path: string, bytes: number): boolean {
    if (bytes > longestLink || !/\/modules\/[a-z]\w*$/.test(path)) return false;
    const target = readFileSync(path, 'utf8').trim();
    if (!target.startsWith('/') || statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true)
      return false;
    this.links.set(path, target);
    return true;
  }

  private resolve(path: string): string {
    for (const [link, target] of this.links)
      if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
    return path;
  }
}
