import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { lockDirectory } from './directory-lock.ts';

const directory = mkdtempSync(join(tmpdir(), 'directory-lock-'));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a directory has one holder at a time', () => {
  const place = join(directory, 'new', 'state');

  const first = lockDirectory(place);

  expect(() => lockDirectory(place)).toThrow(`${place} is in use by another process`);
  first.release();
  lockDirectory(place).release();
});

test('a holder that was killed holds nothing', () => {
  const module = JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href);
  const code = `const { lockDirectory } = await import(${module});
    lockDirectory(${JSON.stringify(directory)});
    process.kill(process.pid, 'SIGKILL');`;

  expect(() =>
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' }),
  ).toThrow();

  lockDirectory(directory).release();
});

test('a directory that cannot be locked is named', () => {
  mkdirSync(join(directory, 'lock'), { recursive: true });

  expect(() => lockDirectory(directory)).toThrow(
    new ServiceError('unavailable', `cannot lock ${directory}: unable to open database file`),
  );
});

test('other users cannot enter the directory, also one that was made by an earlier release', () => {
  const old = join(directory, 'old');
  mkdirSync(old, { recursive: true, mode: 0o755 });

  for (const place of [old, join(directory, 'new')]) lockDirectory(place).release();

  const modes = ['old', 'new'].map((name) => statSync(join(directory, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
});
