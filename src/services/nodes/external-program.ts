/** Programs of the site that answer questions about nodes. */

import { spawn } from 'node:child_process';
import { ServiceError } from '../../lib/service-error.ts';
import { startWhenWritten } from '../../lib/start-when-written.ts';

export interface ProgramOptions {
  readonly timeoutMs: number;
  /** Of this process: the program sees it with the changes that the reference makes. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** More than any answer about one node can be. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** What a program that has ended may still have in its pipe, when a child of it keeps the pipe open. */
const lingerMs = 200;

interface Ended {
  readonly status: number | null;
  readonly output: string;
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
): Promise<string> {
  const { status, output } = await startWhenWritten(() => run(command, options, signal));
  if (status === 0) return output;
  throw new ServiceError(
    'compile-failed',
    `Execution of '${command.join(' ')}' returned ${status ?? ''}: ${output.trim()}`,
  );
}

function run(
  [program = '', ...args]: readonly string[],
  { environment, timeoutMs }: ProgramOptions,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: programEnvironment(environment),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const giveUp = (reason: string) => {
      child.kill('SIGKILL');
      const text = `Execution of '${[program, ...args].join(' ')}' ${reason}`;
      reject(new ServiceError('compile-failed', text));
    };
    const timer = setTimeout(() => giveUp(`took longer than ${timeoutMs / 1000} seconds`), timeoutMs);
    const abort = () => giveUp('was given up with the request');
    const finish = (status: number | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      child.stdout.destroy();
      resolve({ status, output: Buffer.concat(chunks).toString('utf8') });
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) giveUp('gave too long an answer');
    });
    // As the reference has it: a program that cannot be started has failed with status 1.
    child.on('error', () => finish(1));
    child.on('exit', (status) => setTimeout(() => finish(status), lingerMs).unref());
    child.on('close', (status) => finish(status));
  });
}

/** The user's own variables are absent and the language is C, whoever started the server. */
function programEnvironment(environment: ProgramOptions['environment']): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:HOME|USER|LOGNAME|LANG|LC_.*|LANGUAGE)$/.test(name),
  );
  return { ...Object.fromEntries(kept), LANG: 'C', LC_ALL: 'C' };
}
