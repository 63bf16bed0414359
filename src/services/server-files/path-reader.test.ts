import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { withoutRoot } from '../../../test/support/without-root.ts';
import { PathReader } from './path-reader.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'bunraku-wanted-')));
let directory = '';
let count = 0;

beforeEach(() => {
  directory = join(base, String((count += 1)));
  mkdirSync(join(directory, 'state'), { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true }));

function reader(limits: { maxFileBytes?: number; maxTotalBytes?: number; maxFiles?: number } = {}) {
  return new PathReader({ ownDirectories: [join(directory, 'state')], ...limits });
}

function at(name: string): string {
  return join(directory, name);
}

function file(name: string, content = name, mode = 0o644): string {
  writeFileSync(at(name), content);
  chmodSync(at(name), mode);
  return at(name);
}

function wanted(...paths: readonly string[]) {
  return paths.map((path) => ({ path, source: 'compile_server_files', isRequired: true }));
}

async function reasonFor(path: string, options = {}): Promise<string | undefined> {
  const { files, problems } = await reader(options).read(wanted(path));
  expect(files).toEqual([]);
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  return problems[0]?.reason;
}

test('files and directories are read with what is below them, and programs stay programs', async () => {
  mkdirSync(at('keys/deep'), { recursive: true });
  file('keys/deep/private.pem', 'secret', 0o600);
  const program = file('enc.sh', '#!/bin/sh\n', 0o755);

  const { files, problems } = await reader().read(wanted(program, at('keys')));

  expect(problems).toEqual([]);
  expect(files).toEqual([
    { path: program, isProgram: true, content: Buffer.from('#!/bin/sh\n') },
    { path: at('keys/deep/private.pem'), isProgram: false, content: Buffer.from('secret') },
  ]);
});

test('the digest changes with contents, permissions, names and problems, and with nothing else', async () => {
  const kept = reader();
  const path = file('key', 'one');
  const digests: string[] = [];
  const look = async () => digests.push((await kept.read(wanted(path, at('other')))).digest);

  await look();
  file('unrelated');
  await look();
  file('key', 'two');
  await look();
  file('key', 'two', 0o755);
  await look();
  file('other');
  await look();
  file('key', 'one');
  rmSync(at('other'));
  await look();

  expect(digests[1]).toBe(digests[0]);
  expect(new Set(digests).size).toBe(4);
  expect(digests[5]).toBe(digests[0]);
});

test('a link that is named itself is followed, to wherever it leads', async () => {
  const target = file('target', 'content');
  symlinkSync(target, at('link'));

  const { files } = await reader().read(wanted(at('link')));

  expect(files).toEqual([{ path: at('link'), isProgram: false, content: Buffer.from('content') }]);
});

test('a link inside a directory may lead to another file of it, and not out of it', async () => {
  mkdirSync(at('keys'));
  file('keys/real', 'content');
  symlinkSync('real', at('keys/inside'));
  const inside = await reader().read(wanted(at('keys')));
  symlinkSync('/etc/passwd', at('keys/out'));

  expect(inside.files.map(({ path }) => path)).toEqual([at('keys/inside'), at('keys/real')]);
  expect(await reasonFor(at('keys'))).toBe(
    `${at('keys/out')} is a link to /etc/passwd, outside of the directory`,
  );
});

test('links that lead in circles are refused', async () => {
  mkdirSync(at('keys/one'), { recursive: true });
  mkdirSync(at('keys/two'));
  symlinkSync('../two', at('keys/one/two'));
  symlinkSync('../one', at('keys/two/one'));
  symlinkSync(at('loop'), at('loop'));

  expect(await reasonFor(at('keys'))).toContain('is a link to a directory above it');
  expect(await reasonFor(at('loop'))).toContain('it is a link that leads to itself');
});

test('what is not there, too large, too many or no file is a problem that says so', async () => {
  const large = file('large', 'x'.repeat(101));
  mkdirSync(at('many'));
  for (const name of ['a', 'b', 'c']) file(`many/${name}`);
  execFileSync('mkfifo', [at('pipe')]);

  expect(await reasonFor(at('absent'))).toBe(`there is no such file (${at('absent')})`);
  expect(await reasonFor(join(large, 'below'))).toContain('there is no such file');
  expect(await reasonFor(large, { maxFileBytes: 100 })).toBe(`${large} is larger than 100 bytes`);
  expect(await reasonFor(large, { maxTotalBytes: 100 })).toBe('all files together are larger than 100 bytes');
  expect(await reasonFor(at('many'), { maxFiles: 2 })).toBe('it has more than 2 files');
  expect(await reasonFor(at('pipe'))).toBe('it is neither a file nor a directory');
});

test('what may not be read is a problem', async () => {
  const secret = file('secret', 'x', 0);
  chmodSync(base, 0o755);
  await withoutRoot(directory, async () => {
    expect(await reasonFor(secret)).toContain('permission denied');
  });
});

test('what belongs to each server alone does not travel, under no name', async () => {
  writeFileSync(at('state/key'), 'own key');
  symlinkSync(at('state/key'), at('link'));
  mkdirSync(at('keys'));
  symlinkSync(at('state'), at('keys/state'));

  expect(await reasonFor(at('state/key'))).toContain('which each server has for itself');
  expect(await reasonFor(at('state'))).toContain('which each server has for itself');
  expect(await reasonFor(at('link'))).toContain('which each server has for itself');
  expect(await reasonFor(directory)).toContain('which each server has for itself');
});

test('one path that fails keeps no other from being read', async () => {
  const { files, problems } = await reader({ maxTotalBytes: 10 }).read(
    wanted(at('absent'), file('first', '12345'), file('second', '123456'), file('third', '12345')),
  );

  expect(files.map(({ path }) => path)).toEqual([at('first'), at('third')]);
  expect(problems.map(({ path }) => path)).toEqual([at('absent'), at('second')]);
});
