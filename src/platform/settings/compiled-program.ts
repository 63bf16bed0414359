/** What V8 has compiled of the program, kept for the next start: 40 to 90 ms of the processor. */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

/** Each version of the program leaves some 50 files, 2 MB in all; nobody knows which are of versions that are gone. */
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
    return; // whoever needs what lies around the directory says what is wrong
  }
  enableCompileCache(directory);
  // Threads look there.
  process.env['NODE_COMPILE_CACHE'] = directory;
}
