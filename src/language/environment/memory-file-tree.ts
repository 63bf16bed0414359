/** A file tree that is held in memory: for snippets without a directory, and for tests. */

import type { FileTree, FileTreeEntry } from './file-tree.ts';
import { baseName, directoryOf } from './logical-path.ts';

export class MemoryFileTree implements FileTree {
  private readonly contents = new Map<string, string | Uint8Array>();
  private readonly directories = new Map<string, Map<string, FileTreeEntry>>([['/', new Map()]]);

  /** @param files - text or bytes by absolute path; directories follow from these */
  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    for (const [path, content] of Object.entries(files)) {
      this.contents.set(path, content);
      this.addEntry(path, 'file');
    }
  }

  readBytes(path: string): Uint8Array | undefined {
    const content = this.contents.get(path);
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }

  readText(path: string): string | undefined {
    const content = this.contents.get(path);
    return typeof content === 'string'
      ? content.replace(/^\uFEFF/, '')
      : content && new TextDecoder().decode(content);
  }

  list(path: string): readonly FileTreeEntry[] | undefined {
    const entries = this.directories.get(path);
    return entries === undefined
      ? undefined
      : [...entries.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  }

  kind(path: string): 'file' | 'directory' | undefined {
    if (this.contents.has(path)) return 'file';
    return this.directories.has(path) ? 'directory' : undefined;
  }

  private addEntry(path: string, kind: 'file' | 'directory'): void {
    const parent = directoryOf(path);
    let entries = this.directories.get(parent);
    if (entries === undefined) {
      entries = new Map();
      this.directories.set(parent, entries);
      this.addEntry(parent, 'directory');
    }
    const name = baseName(path);
    entries.set(name, { name, kind });
  }
}
