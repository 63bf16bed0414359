import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningProcess } from '../processes/index.ts';
import { Git } from './git.ts';
import { runNetworkCommand } from './network-command.ts';

const git = new Git({ PATH: process.env['PATH'] });
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'network-command-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A program that has succeeded, and whose output ends only when its reader has gone. */
function leavingChildBehind(): RunningProcess {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const how = { code: 0, signal: null };
  stdout.write('done\n');
  const ended = Promise.all([once(stdout, 'close'), once(stderr, 'close')]).then(() => how);
  return { stdin, stdout, stderr, exited: Promise.resolve(how), ended, kill: () => {} };
}

describe('a command that talks to others', () => {
  test('gives what it printed', async () => {
    const command = { args: ['a b'], script: 'printf "%s" "$1"', idleTimeoutMs: 60_000 };

    expect(await runNetworkCommand(git, { ...command, signal: new AbortController().signal })).toBe('a b');
  });

  test('fails in the words of its error output', async () => {
    const command = { args: [], script: 'echo "remote: no such thing" >&2; exit 3', idleTimeoutMs: 60_000 };

    await expect(
      runNetworkCommand(git, { ...command, signal: new AbortController().signal }),
    ).rejects.toThrow(/^remote: no such thing$/);
  });

  test('is not waited for when only a child that it has left behind holds its output', async () => {
    const command = { args: ['fetch'], idleTimeoutMs: 1, signal: new AbortController().signal };

    expect(await runNetworkCommand(new Git({}, leavingChildBehind), command)).toBe('done\n');
  });

  test('ends with the reason of its signal, even while another process holds its output', async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const controller = new AbortController();
    const command = { args: [pipe], script: 'echo >"$1"; cat "$1"', idleTimeoutMs: 60_000 };

    const output = runNetworkCommand(git, { ...command, signal: controller.signal });
    // It has begun when it writes.
    await (await open(pipe, 'r')).close();
    controller.abort(new Error('no longer wanted'));

    await expect(output).rejects.toThrow('no longer wanted');
  });
});
