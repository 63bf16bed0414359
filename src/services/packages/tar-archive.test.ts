import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tarOf } from './tar-archive.ts';

const directory = mkdtempSync(join(tmpdir(), 'bunraku-tar-'));

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

test('tar unpacks what was packed', async () => {
  const source = join(directory, 'source');
  mkdirSync(join(source, 'bin'), { recursive: true });
  writeFileSync(join(source, 'bin', 'run'), '#!/bin/sh\n');
  chmodSync(join(source, 'bin', 'run'), 0o755);
  writeFileSync(join(source, 'empty'), '');
  writeFileSync(join(source, 'block'), 'x'.repeat(512));

  const archive = await tarOf(source, 'top');
  const { status, stderr } = spawnSync('tar', ['-xz', '-C', directory], { input: archive });

  expect([status, stderr.toString()]).toEqual([0, '']);
  expect(readFileSync(join(directory, 'top', 'block'), 'utf8')).toBe('x'.repeat(512));
  expect(readFileSync(join(directory, 'top', 'empty'), 'utf8')).toBe('');
  expect(statSync(join(directory, 'top', 'bin', 'run')).mode & 0o777).toBe(0o755);
  expect((await tarOf(source, 'top')).equals(archive)).toBe(true);
});
