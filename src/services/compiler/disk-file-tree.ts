/** Files on disk as the language sees them. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { FileTree, FileTreeEntry } from '../../language/environment/index.ts';

/**
 * The tree of one version: paths below `logicalDirectory` are read below `physicalDirectory`, all others as they
 * are (module directories outside the environment).
 */
export class DiskFileTree implements FileTree {
  private readonly logicalDirectory: string;
  private readonly physicalDirectory: string;

  constructor(logicalDirectory: string, physicalDirectory: string) {
    this.logicalDirectory = logicalDirectory;
    this.physicalDirectory = physicalDirectory;
  }

  readBytes(path: string): Uint8Array | undefined {
    return unlessMissing(() => readFileSync(this.physical(path)));
  }

  readText(path: string): string | undefined {
    const text = unlessMissing(() => readFileSync(this.physical(path), 'utf8'));
    return text?.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  list(path: string): readonly FileTreeEntry[] | undefined {
    const names = unlessMissing(() => readdirSync(this.physical(path), { withFileTypes: true }));
    if (names === undefined) return undefined;
    const entries: FileTreeEntry[] = [];
    for (const entry of names) {
      const kind = entry.isSymbolicLink() ? this.kind(`${path}/${entry.name}`) : kindOf(entry);
      if (kind !== undefined) entries.push({ name: entry.name, kind });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  kind(path: string): 'file' | 'directory' | undefined {
    const stats = statSync(this.physical(path), { throwIfNoEntry: false });
    return stats === undefined ? undefined : kindOf(stats);
  }

  private physical(path: string): string {
    if (!path.startsWith(this.logicalDirectory)) return path;
    const rest = path.slice(this.logicalDirectory.length);
    return rest === '' || rest.startsWith('/') ? this.physicalDirectory + rest : path;
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): 'file' | 'directory' | undefined {
  if (entry.isDirectory()) return 'directory';
  return entry.isFile() ? 'file' : undefined;
}

/** A path that leads nowhere is an answer; everything else that fails is an error. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}
