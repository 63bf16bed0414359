/** The list of known differences: `id reason`, one for each line; `#` begins a comment. */

import { existsSync, readFileSync } from 'node:fs';

export interface KnownDifference {
  /** An id, or a pattern with `*`. */
  readonly pattern: string;
  readonly reason: string;
}

export class KnownDifferences {
  private readonly entries: readonly KnownDifference[];
  private readonly used = new Set<KnownDifference>();

  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    this.entries = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [pattern = '', ...reason] = line.split(/\s+/);
        return { pattern, reason: reason.join(' ') };
      });
  }

  /** Why any of the names (id, `family:...`) is on the list; `undefined` when none is. */
  find(names: readonly string[]): KnownDifference | undefined {
    const entry = this.entries.find(({ pattern }) => names.some((name) => fits(pattern, name)));
    if (entry !== undefined) this.used.add(entry);
    return entry;
  }

  /** The entries for one thing alone: those must differ. */
  isExact(entry: KnownDifference): boolean {
    return !entry.pattern.includes('*') && !entry.pattern.includes(':');
  }

  /** Entries that fitted nothing that differs. */
  unused(): readonly KnownDifference[] {
    return this.entries.filter((entry) => !this.used.has(entry));
  }
}

function fits(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`).test(name);
}
