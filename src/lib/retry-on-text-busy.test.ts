import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { retryOnTextBusy } from './retry-on-text-busy.ts';

let directory: string;
let program: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'written-'));
  program = join(directory, 'program');
  await copyFile('/bin/true', program);
  await chmod(program, 0o755);
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('a program that is being written is started when that has ended', async () => {
  const writer = await open(program, 'r+');
  const failures: unknown[] = [];

  const started = await retryOnTextBusy(async () => {
    try {
      return spawn(program);
    } catch (error) {
      failures.push(error);
      if (failures.length === 1) await writer.close();
      throw error;
    }
  });
  const [status] = await once(started, 'exit');

  expect(failures[0]).toMatchObject({ code: 'ETXTBSY' });
  expect(status).toBe(0);
});

test('a program that stays open for writing is not waited for endlessly', async () => {
  const writer = await open(program, 'r+');

  await expect(retryOnTextBusy(() => spawn(program))).rejects.toThrow('ETXTBSY');

  await writer.close();
});
