/** The differences of two files, as the program `diff` prints them. */

import { execFile } from 'node:child_process';
import { RequestFailed } from '../../platform/indirection/index.ts';

/** How long comparing may take, and how much it may print. */
const timeoutMs = 30_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** @throws RequestFailed when there is no `diff` or it fails */
export async function unifiedDiff(from: string, to: string, signal: AbortSignal): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const options = { signal, timeout: timeoutMs, maxBuffer: maxOutputBytes, encoding: 'buffer' } as const;
    execFile('diff', ['-u', '--', from, to], options, (error, stdout) => {
      // 1 says that the files differ.
      if (error === null || error.code === 1) resolve(stdout);
      else if (error.code === 'ENOENT') reject(new RequestFailed('Unable to diff on this platform'));
      else reject(new RequestFailed(`Unable to diff: ${error.message}`));
    });
  });
}
