/** Commands that talk to git hosts of other people: they may hang, ask for passwords, or never end. */

import { type Git, GitError, type GitProcess } from './git.ts';

export interface NetworkCommand {
  /** A shell script that has the arguments, see `Git.script`; they are git's own when absent. */
  readonly script?: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the command when it has said nothing for this long: give it `--progress`. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** No transport may ask: whoever runs a server is not there to answer. */
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
  const { args, environment, idleTimeoutMs, script, signal } = command;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const options = {
      environment: { ...silentTransports, ...environment },
      usesMachineConfiguration: true,
      isOwnGroup: true,
      timeoutMs: longestMs,
    };
    const child = script === undefined ? git.spawn(args, options) : git.script(script, args, options);
    let isIdle = false;
    const onIdle = () => {
      isIdle = true;
      endGroup(child);
    };
    const onAbort = () => endGroup(child);
    const timer = setTimeout(onIdle, idleTimeoutMs);
    const output: Buffer[] = [];
    let errors = '';
    signal.addEventListener('abort', onAbort, { once: true });
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
    child.process.on('error', (error) =>
      reject(new GitError(`git could not be started: ${error.message}`, undefined, error)),
    );
    child.process.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (code === 0) return resolve(Buffer.concat(output).toString('utf8'));
      if (signal.aborted) return reject(signal.reason as Error);
      if (isIdle) return reject(new GitError(`no answer for ${idleTimeoutMs / 1000} s`, undefined));
      reject(new GitError(withoutProgress(errors), code ?? undefined));
    });
  });
}

function endGroup({ process: child }: GitProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

/** What git says of its progress is overwritten on a terminal; of each line what would be left counts. */
function withoutProgress(text: string): string {
  const lines = text.split('\n').map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd());
  return lines
    .filter((line) => line !== '' && !/^remote: *(Counting|Compressing|Enumerating|Total)/.test(line))
    .join('\n');
}
