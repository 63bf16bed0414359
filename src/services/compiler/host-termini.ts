/** What code reaches outside its version on this machine: commands, files of the server, the clock. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { CompileTermini } from '../../language/evaluator/index.ts';
import { PuppetError } from '../../language/syntax/index.ts';

/** How long a command of `generate()` may take. */
const generateTimeoutMs = 60_000;

export const hostTermini: CompileTermini = {
  exportedResources: () => [],
  outside: {
    generate: (command, args) =>
      execFileSync(command, args, {
        encoding: 'utf8',
        timeout: generateTimeoutMs,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    readServerFile(path) {
      try {
        return readFileSync(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    now: () => Date.now(),
    random: () => Math.random(),
    queryPuppetdb() {
      throw new PuppetError({
        code: 'runtime_error',
        severity: 'error',
        message: 'There is no PuppetDB to query',
      });
    },
  },
};
