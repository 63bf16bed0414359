/** The command that an operator wants to be run after deploys. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from '../../../platform/log/index.ts';

const timeoutMs = 300_000;
/** Its output is not used, but a command that prints more is killed. */
const maxBuffer = 64 * 1024 * 1024;

/** Runs it without a shell. What becomes of it is only logged, as with r10k. */
export async function runPostrun(
  command: readonly string[],
  environments: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<void> {
  const [program, ...args] = command.map((word) => word.replaceAll('$modifiedenvs', environments.join(' ')));
  if (program === undefined) return;
  try {
    const options = {
      env: { ...environment },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer,
    } as const;
    await promisify(execFile)(program, args, options);
    log.info({ program }, 'ran the postrun command');
  } catch (error) {
    log.warn({ program, err: error }, 'the postrun command failed');
  }
}
