/** Starts programs as children of this process. */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Ended, ProcessOptions, RunningProcess } from './running-process.ts';

/** @see StartProcess */
export function startProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): RunningProcess {
  const { directory, environment, isOwnGroup = false, signal, timeoutMs } = options;
  const child = spawn(command, args, {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: isOwnGroup,
    killSignal: 'SIGKILL',
    ...(directory === undefined ? {} : { cwd: directory }),
    ...(signal === undefined ? {} : { signal }),
  });
  const kill = () => killProcess(child, isOwnGroup);
  const timer = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
  // Node ends the program alone.
  if (isOwnGroup && signal?.aborted === true) kill();
  if (isOwnGroup) signal?.addEventListener('abort', kill, { once: true });
  const forget = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  };
  // Each attempt to end a program that has become another user's is an error event: without a listener it would end this process.
  child.on('error', forget).once('exit', forget);
  const { stdin, stdout, stderr } = child;
  return { stdin, stdout, stderr, exited: eventOf(child, 'exit'), ended: eventOf(child, 'close'), kill };
}

/** Callers need not wait: a rejection without a listener must not end the process. */
function eventOf(child: ChildProcess, name: 'exit' | 'close'): Promise<Ended> {
  const promise = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once(name, (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }));
  });
  promise.catch(() => {});
  return promise;
}

/** Also used by the process that starts others. */
export function killProcess(child: ChildProcess, isOwnGroup: boolean): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (isOwnGroup) process.kill(-pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
