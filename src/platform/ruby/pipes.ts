/** Two pipes to a child process, with blocking ends on this side. */

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Descriptors. `child...` are for the child alone: close them here once it has started. */
export interface Pipes {
  readonly read: number;
  readonly write: number;
  readonly childRead: number;
  readonly childWrite: number;
}

/**
 * Makes the pipes. They are FIFOs because Node makes everything else non-blocking; their names are gone when this
 * returns.
 */
export function openPipes(): Pipes {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-ruby-'));
  try {
    const [toChild, fromChild] = [join(directory, 'to'), join(directory, 'from')];
    execFileSync('mkfifo', ['-m', '600', toChild, fromChild]);
    const to = openBoth(toChild);
    const from = openBoth(fromChild);
    return { write: to.write, childRead: to.read, read: from.read, childWrite: from.write };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Opening one end waits for the other, unless somebody holds both. */
function openBoth(path: string): { readonly read: number; readonly write: number } {
  const both = openSync(path, 'r+');
  try {
    return { write: openSync(path, 'w'), read: openSync(path, 'r') };
  } finally {
    closeSync(both);
  }
}
