/** A read-only view of files on disk under names that need not be where they are. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
}

/** Paths below one directory stand for those below another. */
export interface DirectoryMapping {
  readonly logicalDirectory: string;
  readonly physicalDirectory: string;
}

/**
 * Paths below `logicalDirectory` are read below `physicalDirectory`, all others as they are. Links are followed; what is
 * not there, or in a directory that may not be entered, is `undefined`, as for Ruby's `File.exist?`; any other failure throws. Text is UTF-8 without its byte order mark; lists are sorted.
 */
export class DiskFileTree {
  readonly logicalDirectory: string;
  readonly physicalDirectory: string;
  private readonly others: readonly DirectoryMapping[];

  /** @param others - further directories that lie elsewhere; the first that a path is below counts */
  constructor(logicalDirectory: string, physicalDirectory: string, others: readonly DirectoryMapping[] = []) {
    this.logicalDirectory = logicalDirectory;
    this.physicalDirectory = physicalDirectory;
    this.others = others;
  }

  readBytes(path: string): Uint8Array | undefined {
    return unlessMissing(() => readFileSync(this.physical(path)));
  }

  readText(path: string): string | undefined {
    const text = unlessMissing(() => readFileSync(this.physical(path), 'utf8'));
    return text?.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  list(path: string): readonly Entry[] | undefined {
    const names = unlessMissing(() => readdirSync(this.physical(path), { withFileTypes: true }));
    if (names === undefined) return undefined;
    const entries: Entry[] = [];
    for (const entry of names) {
      const kind = entry.isSymbolicLink() ? this.kind(`${path}/${entry.name}`) : kindOf(entry);
      if (kind !== undefined) entries.push({ name: entry.name, kind });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  kind(path: string): 'file' | 'directory' | undefined {
    const stats = unlessMissing(() => statSync(this.physical(path), { throwIfNoEntry: false }));
    return stats === undefined ? undefined : kindOf(stats);
  }

  /** Where a path really is. */
  physical(path: string): string {
    const inside = mapped(path, this);
    if (inside !== undefined) return inside;
    for (const other of this.others) {
      const elsewhere = mapped(path, other);
      if (elsewhere !== undefined) return elsewhere;
    }
    return path;
  }
}

/** @returns `undefined` for a path that is not below the mapping's directory */
export function mapped(path: string, mapping: DirectoryMapping): string | undefined {
  if (!path.startsWith(mapping.logicalDirectory)) return undefined;
  const rest = path.slice(mapping.logicalDirectory.length);
  return rest === '' || rest.startsWith('/') ? mapping.physicalDirectory + rest : undefined;
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
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    if (path !== undefined && !existsSync(path)) return undefined;
    throw error;
  }
}
