/** Commands that talk to git hosts of other people: they may hang, ask for passwords, or never end. */

import type { RunningProcess } from '../processes/index.ts';
import { type Git, GitError } from './git.ts';

export interface NetworkCommand {
  /** A shell script that has the arguments, see `Git.script`; they are git's own when absent. */
  readonly script?: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Ends the command when it has said nothing for this long: give it `--progress`. What it has said counts when it has
   * succeeded by then and only a child of it is left.
   */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** No transport may ask for a password: there is no person to answer. */
const silentTransports = {
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  GIT_PROTOCOL_FROM_USER: '0',
};
const mostErrorBytes = 64 * 1024;
const longestMs = 3_600_000;

/**
 * Runs a command to its end, with all of its children.
 *
 * @returns its standard output
 * @throws GitError with what git printed, or that nothing came for too long; the signal's reason when that ended it
 */
export function runNetworkCommand(git: Git, command: NetworkCommand): Promise<string> {
  const { args, environment, script, signal } = command;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const options = {
    environment: { ...silentTransports, ...environment },
    usesMachineConfiguration: true,
    isOwnGroup: true,
    timeoutMs: longestMs,
  };
  return watch(script === undefined ? git.spawn(args, options) : git.script(script, args, options), command);
}

async function watch(child: RunningProcess, { idleTimeoutMs, signal }: NetworkCommand): Promise<string> {
  let isIdle = false;
  const stop = () => {
    child.kill();
    // A child that it has left behind (a connection that ssh keeps for others) may hold its output forever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const onIdle = () => {
    isIdle = true;
    stop();
  };
  const timer = setTimeout(onIdle, idleTimeoutMs);
  const output: Buffer[] = [];
  let errors = '';
  signal.addEventListener('abort', stop, { once: true });
  child.stdin.on('error', () => {});
  child.stdin.end();
  child.stdout.on('data', (chunk: Buffer) => {
    timer.refresh();
    output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    timer.refresh();
    errors = (errors + chunk.toString('utf8')).slice(-mostErrorBytes);
  });
  try {
    const { code } = await child.ended;
    if (code === 0) return Buffer.concat(output).toString('utf8');
    if (signal.aborted) throw signal.reason;
    if (isIdle) throw new GitError(`no answer for ${idleTimeoutMs / 1000} s`, undefined);
    throw new GitError(withoutProgress(errors), code ?? undefined);
  } catch (error) {
    if (error instanceof GitError || signal.aborted) throw error;
    throw new GitError(`git could not be started: ${(error as Error).message}`, undefined, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** What git says of its progress is overwritten on a terminal; of each line what would be left counts. */
function withoutProgress(text: string): string {
  const lines = text.split('\n').map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd());
  return lines
    .filter((line) => line !== '' && !/^remote: *(Counting|Compressing|Enumerating|Total)/.test(line))
    .join('\n');
}
