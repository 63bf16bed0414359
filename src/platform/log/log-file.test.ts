import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { LogFile } from './log-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'log-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('lines go on in a file of the same name when the old one was renamed or cut off', async () => {
  const path = join(directory, 'puppetserver.log');
  const log = new LogFile(path, 'puppetserver_log');
  const has = (file: string, line: string) => existsSync(file) && readFileSync(file, 'utf8').includes(line);
  const written = (line: string) =>
    vi.waitFor(
      () => {
        log.write(`${line}\n`);
        if (!has(path, line)) throw new Error('not yet');
      },
      { timeout: 10_000, interval: 50 },
    );

  await written('first');
  renameSync(path, `${path}.1`);
  await written('second');
  truncateSync(path);
  await written('third');

  expect(has(`${path}.1`, 'first')).toBe(true);
  // No hole where the text was that is gone.
  expect(readFileSync(path, 'utf8')).not.toContain('\0');
});

test('a file that cannot be opened is named with its setting', () => {
  const path = join(directory, 'nowhere', 'access.log');

  expect(() => new LogFile(path, 'puppetserver_access_log')).toThrow(
    `puppetserver_access_log = ${path} cannot be written: ENOENT`,
  );
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk loses lines, and nothing else (needs /dev/full)',
  async () => {
    const log = new LogFile('/dev/full', 'puppetserver_log');

    for (let line = 0; line < 3; line += 1) {
      log.write('x'.repeat(10_000));
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(() => log.write('one more\n')).not.toThrow();
  },
);
