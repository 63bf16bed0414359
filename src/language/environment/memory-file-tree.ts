/** A file tree that is held in memory: for snippets without a directory, and for tests. */

import type { FileTree, FileTreeEntry } from './file-tree.ts';
import { baseName, directoryOf } from './logical-path.ts';

export class MemoryFileTree implements FileTree {
  private readonly texts = new Map<string, string>();
  private readonly directories = new Map<string, Map<string, FileTreeEntry>>([['/', new Map()]]);

  /** @param files - text by absolute path; directories follow from these */
  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      this.texts.set(path, text);
      this.addEntry(path, 'file');
    }
  }

  readBytes(path: string): Uint8Array | undefined {
    const text = this.texts.get(path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }

  readText(path: string): string | undefined {
    return this.texts.get(path)?.replace(/^\uFEFF/, '');
  }

  list(path: string): readonly FileTreeEntry[] | undefined {
    const entries = this.directories.get(path);
    return entries === undefined
      ? undefined
      : [...entries.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  }

  kind(path: string): 'file' | 'directory' | undefined {
    if (this.texts.has(path)) return 'file';
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
