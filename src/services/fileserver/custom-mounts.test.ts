import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Logger } from '../../platform/log/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { CustomMounts } from './custom-mounts.ts';

let directory = '';
let file = '';
let nowMs = 0;
let errors: string[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bunraku-custom-mounts-'));
  file = join(directory, 'fileserver.conf');
  nowMs = 0;
  errors = [];
});
afterEach(() => rm(directory, { recursive: true }));

function customMounts(): CustomMounts {
  const log: Logger = { ...silentLogger, error: (_fields, message) => void errors.push(message) };
  return new CustomMounts({ file, log, now: () => nowMs });
}

test('all that ask first get the mounts of the file, not only the one that has it read', async () => {
  await writeFile(file, `[files]\npath ${directory}\n`);
  const mounts = customMounts();

  const found = await Promise.all([mounts.find('files'), mounts.find('files'), mounts.find('files')]);

  expect(found.map((mount) => mount === undefined)).toEqual([false, false, false]);
});

test('a file that changes is read again after a while, and one with mistakes leaves the mounts as they were', async () => {
  const mounts = customMounts();
  expect(await mounts.find('files')).toBeUndefined();
  await writeFile(file, `[files]\npath ${directory}\n`);
  expect(await mounts.find('files')).toBeUndefined();

  nowMs += 15_000;
  expect(await mounts.find('files')).toBeDefined();

  await writeFile(file, '[files]\nno such thing\n');
  nowMs += 15_000;
  expect(await mounts.find('files')).toBeDefined();
  nowMs += 15_000;
  expect(await mounts.find('files')).toBeDefined();
  expect(errors).toEqual(['Error parsing fileserver configuration; using old configuration']);

  await rm(file);
  nowMs += 15_000;
  expect(await mounts.find('files')).toBeUndefined();
});
