/**
 * Processes that outlive the one that started them, and are found again by their pid and start time.
 *
 * A process writes its own mark as its first action, so that there is no moment in which it runs and cannot be found. A pid alone would
 * not do: the system uses it again.
 */

import { spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';

/** A process of this boot of the machine. */
interface ProcessMark {
  readonly pid: number;
  /** In ticks of the clock since the machine booted. */
  readonly started: string;
  readonly bootId: string;
}

export interface MarkedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Gets what the process prints, after what is there. */
  readonly logFile: string;
  readonly markFile: string;
}

const bootIdFile = '/proc/sys/kernel/random/boot_id';

/**
 * The shell replaces itself by the program, which keeps its pid and start time. With `-C` it does not write over a mark: of two processes
 * for one mark the second ends at once.
 */
const script = `set -C
read -r line < /proc/self/stat || exit 74
read -r boot < ${bootIdFile} || exit 74
mark=$1
shift
words=$line
set -f
n=0
for word in $words; do n=$((n + 1)); [ $n = 22 ] && started=$word; done
printf '%s %s %s\\n' "$$" "$started" "$boot" > "$mark" || exit 75
set +f
exec "$@"`;

/**
 * Starts a program as the leader of a process group of its own.
 *
 * @returns when it has left its mark
 * @throws Error when it ended before
 */
export async function startMarked(program: MarkedProgram): Promise<void> {
  const { args, command, directory, environment, logFile, markFile } = program;
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = spawn('/bin/sh', ['-c', script, 'sh', markFile, command, ...args], {
      cwd: directory,
      detached: true,
      env: environment,
      stdio: ['ignore', log.fd, log.fd],
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? code}`));
    });
    // It goes on when this process ends.
    child.unref();
    for (;;) {
      const outcome = await Promise.race([ended, sleep(startPollMs, undefined)]);
      if ((await readMark(markFile))?.pid === child.pid) return;
      if (outcome !== undefined) throw new Error(`${command} could not be started: ${outcome}`);
    }
  } finally {
    await log.close();
  }
}

const startPollMs = 10;
const endPollMs = 50;

/** @returns the pid while the process that wrote the mark runs */
export async function findMarked(markFile: string): Promise<number | undefined> {
  const mark = await readMark(markFile);
  if (mark === undefined || mark.bootId !== (await readFile(bootIdFile, 'utf8')).trim()) return undefined;
  return (await startOf(mark.pid)) === mark.started ? mark.pid : undefined;
}

/** Asks the process of a mark to end, insists after the patience, and resolves when it has ended. */
export async function endMarked(markFile: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let isAsked = false; ; isAsked = true) {
    const pid = await findMarked(markFile);
    if (pid === undefined) return;
    if (!isAsked) send(pid, 'SIGTERM');
    // The whole group, which it can no longer end itself.
    if (performance.now() >= deadline) send(-pid, 'SIGKILL');
    await sleep(endPollMs);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Leaves the mark of this process, in the place of that of an earlier one. */
export async function markOwnProcess(markFile: string): Promise<void> {
  const boot = (await readFile(bootIdFile, 'utf8')).trim();
  await writeFileAtomically(
    markFile,
    `${process.pid} ${(await startOf(process.pid)) ?? ''} ${boot}\n`,
    0o600,
  );
}

/** Makes room for another process. The one that wrote the mark must have ended. */
export async function removeMark(markFile: string): Promise<void> {
  await rm(markFile, { force: true });
}

async function readMark(markFile: string): Promise<ProcessMark | undefined> {
  const [pid = '', started = '', bootId = ''] = ((await ifThere(readFile(markFile, 'utf8'))) ?? '')
    .trim()
    .split(' ');
  return bootId === '' ? undefined : { pid: Number(pid), started, bootId };
}

/** @returns `undefined` for a pid that is free, or whose process waits for its parent to take note of its end */
async function startOf(pid: number): Promise<string | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // The name, in parentheses, may contain anything.
  const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[startField];
}

/** Of the fields after the state: `man 5 proc`, field 22. */
const startField = 18;
