import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { ProgramArchive } from './program-archive.ts';

let base: string;
const platform = `${process.platform}-${process.arch}`;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-program-'));
  await mkdir(join(base, 'dist/modules/a-directory-with-a-long-name'.padEnd(120, 'x')), { recursive: true });
  await writeFile(join(base, 'dist/main.js'), 'main');
  await writeFile(join(base, 'dist/package.json'), '{ "version": "1.2.3" }');
  await writeFile(join(base, 'dist/main.js.map'), 'map');
  await writeFile(join(base, 'dist/modules/a-directory-with-a-long-name'.padEnd(120, 'x'), 'file'), 'deep');
  await writeFile(join(base, 'start'), '#!/bin/sh\n');
  await writeFile(join(base, 'node'), 'executable');
  await chmod(join(base, 'node'), 0o755);
});

afterEach(() => rm(base, { recursive: true }));

function archive(): ProgramArchive {
  const source = { dist: join(base, 'dist'), launcher: join(base, 'start'), node: join(base, 'node') };
  return new ProgramArchive({ source, directory: join(base, 'kept'), log: silentLogger });
}

test('the archive has the program as in a checkout, without source maps, and is named by its digest', async () => {
  const made = archive();
  const description = await made.describe();
  const opened = await made.open(description?.sha256 ?? '');
  if (opened === undefined) throw new Error('there is no archive');
  const bytes = await buffer(opened.stream());
  const file = join(base, 'unpacked.tar.gz');
  await writeFile(file, bytes);
  const listed = execFileSync('tar', ['-tvzf', file], { encoding: 'utf8' });

  expect(description).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), platform });
  expect(opened.bytes).toBe(bytes.length);
  expect(listed).toMatch(/^-rwxr-xr-x .* bin\/bunraku$/m);
  expect(listed).toMatch(new RegExp(`^-rwxr-xr-x .* node_modules/node-${platform}/bin/node$`, 'm'));
  expect(listed).toMatch(/^-rw-r--r-- .* dist\/main\.js$/m);
  // 'bunraku --version' reads it.
  expect(listed).toMatch(/^-rw-r--r-- .* package\.json$/m);
  expect(listed).toMatch(/x\/file$/m);
  expect(listed).not.toContain('.map');
});

test('a later start takes what an earlier one has made, and changed files make a new one', async () => {
  const first = await archive().describe();
  const [name = ''] = (await readdir(join(base, 'kept'))).filter((each) => each.endsWith('.gz'));
  const madeAt = (await stat(join(base, 'kept', name))).ino;
  const second = await archive().describe();
  const keptAt = (await stat(join(base, 'kept', name))).ino;
  await writeFile(join(base, 'dist/main.js'), 'changed');
  const third = await archive().describe();

  expect(second).toEqual(first);
  expect(keptAt).toBe(madeAt);
  expect(third?.sha256).not.toBe(first?.sha256);
  expect((await readdir(join(base, 'kept'))).filter((each) => each.endsWith('.gz'))).toEqual([
    `${third?.sha256}.tar.gz`,
  ]);
});

test('the same files make the same archive, whenever they were written', async () => {
  const first = await archive().describe();
  await utimes(join(base, 'dist/main.js'), 1, 1);

  expect(await archive().describe()).toEqual(first);
});

test('only the archive that there is can be had', async () => {
  const made = archive();
  const { sha256 = '' } = (await made.describe()) ?? {};

  expect(await made.open(sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toBeUndefined();
});

test('a program that runs from its sources has no archive', async () => {
  const made = new ProgramArchive({ source: undefined, directory: join(base, 'kept'), log: silentLogger });

  expect(await made.describe()).toBeUndefined();
  expect(await made.open('0'.repeat(64))).toBeUndefined();
});

test('after a failure the next question tries again', async () => {
  await rm(join(base, 'node'));
  const made = archive();
  await expect(made.describe()).rejects.toThrow('ENOENT');
  await writeFile(join(base, 'node'), 'executable');

  expect(await made.describe()).toMatchObject({ platform });
  expect(await readFile(join(base, 'kept/archive'), 'utf8')).toMatch(/^[0-9a-f]{64} [0-9a-f]{64}\n$/);
});
