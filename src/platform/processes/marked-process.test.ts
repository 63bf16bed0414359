import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundSignal, boundTo } from './bound-process.ts';
import { endMarked, findMarked, markOwnProcess, removeMark, startMarked } from './marked-process.ts';

let directory: string;
let markFile: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'marked-process-'));
  markFile = join(directory, 'mark');
});
afterEach(async () => {
  await endMarked(markFile, 0);
  rmSync(directory, { recursive: true });
});

function started(command: string, ...args: readonly string[]): Promise<void> {
  const place = { directory, logFile: join(directory, 'log'), markFile };
  return startMarked({ ...place, command, args, environment: { ...process.env, GREETING: 'hello' } });
}

test('a process is found again by its mark until it ends, and its output is kept', async () => {
  await started('sh', '-c', 'echo "$GREETING $$"; exec sleep 60');
  const pid = await findMarked(markFile);

  await expect.poll(() => readFileSync(join(directory, 'log'), 'utf8')).toBe(`hello ${pid}\n`);
  await endMarked(markFile, 10_000);

  expect(await findMarked(markFile)).toBeUndefined();
});

test('one that does not end when it is asked to is killed with its children', async () => {
  await started('sh', '-c', 'trap "" TERM; sleep 60 & echo $! > child; wait; wait; sleep 60');
  await expect.poll(() => existsSync(join(directory, 'child'))).toBe(true);
  const child = Number(readFileSync(join(directory, 'child'), 'utf8'));

  await endMarked(markFile, 200);

  expect(await findMarked(markFile)).toBeUndefined();
  await expect.poll(() => isAlive(child)).toBe(false);
});

test('a second process for the same mark does not start beside the first', async () => {
  await started('sleep', '60');
  const first = await findMarked(markFile);

  await expect(started('sleep', '61')).rejects.toThrow('could not be started: it ended with 75');

  expect(await findMarked(markFile)).toBe(first);
});

test('a pid that the system has given to another process is not the marked one', async () => {
  await markOwnProcess(markFile);
  expect(await findMarked(markFile)).toBe(process.pid);
  const [pid, start, boot] = readFileSync(markFile, 'utf8').trim().split(' ');

  writeFileSync(markFile, `${pid} ${Number(start) - 1} ${boot}\n`);
  expect(await findMarked(markFile)).toBeUndefined();
  writeFileSync(markFile, `${pid} ${start} 00000000-0000-0000-0000-000000000000\n`);
  expect(await findMarked(markFile)).toBeUndefined();
  writeFileSync(markFile, '');
  expect(await findMarked(markFile)).toBeUndefined();
  await removeMark(markFile);
});

test('it goes on when the process that started it is killed, and is found by the next one', async () => {
  const module = JSON.stringify(new URL('./marked-process.ts', import.meta.url).href);
  const place = JSON.stringify({ directory, logFile: join(directory, 'log'), markFile });
  const code = `const { startMarked } = await import(${module});
    await startMarked({ ...${place}, command: 'sleep', args: ['60'], environment: process.env });
    process.kill(process.pid, 'SIGKILL');`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  const [, signal] = (await once(starter, 'exit')) as [number | null, string];

  expect(signal).toBe('SIGKILL');
  expect(isAlive((await findMarked(markFile)) ?? 0)).toBe(true);
});

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only asks; a zombie answers as well.
    return pid > 0 && process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('a bound process learns that the other has ended and did not come back within the grace period', async () => {
  await started('sleep', '60');
  const signal = boundSignal(boundTo(markFile, 400));
  await sleep(600);
  expect(signal?.aborted).toBe(false);

  await endMarked(markFile, 10_000);
  await removeMark(markFile);
  await started('sleep', '60');
  await sleep(600);
  expect(signal?.aborted).toBe(false);

  await endMarked(markFile, 10_000);
  await expect.poll(() => signal?.aborted, { timeout: 5000 }).toBe(true);
});

test('a process without such an environment is bound to none', () => {
  expect(boundSignal({})).toBeUndefined();
});
