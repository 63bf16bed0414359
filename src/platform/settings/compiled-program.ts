/** What V8 has compiled of the program, kept for the next start: 40 to 90 ms of the processor. */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

/** Each version of the program leaves some 50 files, 2 MB in all; it cannot be known which belong to old versions. */
const mostFiles = 500;

/**
 * What this process and its threads load from now on is kept there when they end, and taken from there. Nothing happens where
 * that can't be.
 */
export function keepCompiledProgram(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    if (readdirSync(directory, { recursive: true }).length > mostFiles)
      rmSync(directory, { recursive: true });
  } catch {
    return; // the users of the directories around it report the error
  }
  enableCompileCache(directory);
  // Threads look there.
  process.env['NODE_COMPILE_CACHE'] = directory;
}
