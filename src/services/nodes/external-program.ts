/** Programs of the site that answer questions about nodes. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isTextBusy, retryOnTextBusy } from '../../lib/retry-on-text-busy.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Ended, RunningProcess, StartProcess } from '../../platform/processes/index.ts';

export interface ProgramOptions {
  readonly start: StartProcess;
  readonly timeoutMs: number;
  /** Of this process: the program sees it with the changes that the reference makes. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where a path of the site really is; there when absent. */
  readonly locate?: (path: string) => string;
}

/** More than any answer about one node can be. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** What a program that has ended may still have in its pipe, when a child of it keeps the pipe open. */
const lingerMs = 200;

interface Answered {
  readonly status: number | null;
  readonly output: Buffer;
}

/**
 * Runs a program and waits for its answer. What it says on standard error is dropped.
 *
 * @param command - the program's absolute path and its arguments
 * @returns what it printed
 * @throws ServiceError `compile-failed` in the reference's words when it fails, or takes too long
 */
export async function runProgram(
  command: readonly string[],
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  const { status, output } = await retryOnTextBusy(() => run(command, options, signal));
  if (status === 0) return output;
  throw new ServiceError(
    'compile-failed',
    `Execution of '${command.join(' ')}' returned ${status ?? ''}: ${output.toString('utf8').trim()}`,
  );
}

async function run(
  [program = '', ...args]: readonly string[],
  { environment, locate, start, timeoutMs }: ProgramOptions,
  signal: AbortSignal,
): Promise<Answered> {
  const child = start(locate?.(program) ?? program, args, { environment: programEnvironment(environment) });
  child.stdin.on('error', () => {}); // it need not read that there is nothing
  child.stdin.end();
  child.stderr.resume();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: string) => {
    child.kill();
    const text = `Execution of '${[program, ...args].join(' ')}' ${reason}`;
    reject(new ServiceError('compile-failed', text));
  };
  const timer = setTimeout(() => giveUp(`took longer than ${timeoutMs / 1000} seconds`), timeoutMs);
  const abort = () => giveUp('was given up with the request');
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) giveUp('gave too long an answer');
  });
  try {
    const status = await Promise.race([statusOf(child), givenUp]);
    return { status, output: Buffer.concat(chunks) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    child.stdout.destroy();
  }
}

/** Not later than a moment after its end. As the reference has it, what cannot be started has failed with status 1. */
async function statusOf(child: RunningProcess): Promise<number | null> {
  const lingered = child.exited.then(async (how): Promise<Ended> => {
    await sleep(lingerMs, undefined, { ref: false });
    // Where this process was busy all the time, what had been printed is only read now.
    await nextTurn();
    await nextTurn();
    return how;
  });
  const { code } = await Promise.race([child.ended, lingered]).catch((error: unknown) => {
    if (isTextBusy(error)) throw error;
    return { code: 1 };
  });
  return code;
}

/** The user's own variables are absent and the language is C, whatever user started the server. */
function programEnvironment(environment: ProgramOptions['environment']): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:HOME|USER|LOGNAME|LANG|LC_.*|LANGUAGE)$/.test(name),
  );
  return { ...Object.fromEntries(kept), LANG: 'C', LC_ALL: 'C' };
}
