import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { withoutRoot } from '../../../test/support/without-root.ts';
import { ReceivedFiles } from './received-files.ts';
import type { Payload } from './termini.ts';

const base = mkdtempSync(join(tmpdir(), 'bunraku-received-'));
let directory = '';
let count = 0;

beforeEach(() => {
  directory = join(base, String((count += 1)));
  mkdirSync(at('state'), { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true }));

function at(name: string): string {
  return join(directory, name);
}

function payload(contents: Readonly<Record<string, string>>, more: Partial<Payload> = {}): Payload {
  const files = Object.entries(contents).map(([name, content]) => ({
    path: at(name),
    isProgram: name.endsWith('.sh'),
    content: Buffer.from(content),
  }));
  return { paths: files.map(({ path }) => path), files, problems: [], ...more };
}

function problem(name: string, isRequired = true) {
  return { path: at(name), source: 'compile_server_files', isRequired, reason: 'there is no such file' };
}

async function opened(): Promise<ReceivedFiles> {
  const received = new ReceivedFiles(at('state'));
  await received.restore();
  return received;
}

const digest = (letter: string) => letter.repeat(64);

test('files are read where they are kept: only this user may', async () => {
  const received = await opened();

  const hasChanged = await received.apply(
    digest('a'),
    payload({ 'etc/key.pem': 'secret', 'bin/enc.sh': '#!/bin/sh' }),
  );

  const key = received.locate(at('etc/key.pem'));
  const program = received.locate(at('bin/enc.sh'));
  expect(hasChanged).toBe(true);
  expect(readFileSync(key, 'utf8')).toBe('secret');
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(statSync(program).mode & 0o777).toBe(0o700);
  expect(statSync(at('state/server-files')).mode & 0o777).toBe(0o700);
  expect(received.locate('/other')).toBe('/other');
});

test('programs that know only the path find the file by a link, which follows each change', async () => {
  const received = await opened();

  await received.apply(digest('a'), payload({ 'etc/deep/key.pem': 'one' }));
  const before = readFileSync(at('etc/deep/key.pem'), 'utf8');
  await received.apply(digest('b'), payload({ 'etc/deep/key.pem': 'two' }));

  expect(lstatSync(at('etc/deep/key.pem')).isSymbolicLink()).toBe(true);
  expect([before, readFileSync(at('etc/deep/key.pem'), 'utf8')]).toEqual(['one', 'two']);
});

test('a compile that began before a change can still read what it began with, until the next one', async () => {
  const received = await opened();
  await received.apply(digest('a'), payload({ key: 'one' }));
  const first = received.locate(at('key'));

  await received.apply(digest('b'), payload({ key: 'two' }));
  const afterOne = readFileSync(first, 'utf8');
  await received.apply(digest('c'), payload({ key: 'three' }));

  expect(afterOne).toBe('one');
  expect(existsSync(first)).toBe(false);
  expect(received.current.generation).not.toBe('');
});

test('a file that the server has itself counts, stays, and is told of when it is different', async () => {
  mkdirSync(at('etc'));
  writeFileSync(at('etc/own'), 'mine');
  writeFileSync(at('etc/same'), 'equal');
  const received = await opened();

  await received.apply(digest('a'), payload({ 'etc/own': 'theirs', 'etc/same': 'equal', 'etc/new': 'new' }));

  expect(received.locate(at('etc/own'))).toBe(at('etc/own'));
  expect(readFileSync(at('etc/own'), 'utf8')).toBe('mine');
  expect(received.current.different).toEqual([at('etc/own')]);
  expect(received.locate(at('etc/new'))).not.toBe(at('etc/new'));
});

test('a file of its own that is removed is replaced by the one of the primary', async () => {
  writeFileSync(at('own'), 'mine');
  const received = await opened();
  await received.apply(digest('a'), payload({ own: 'theirs' }));
  rmSync(at('own'));

  const hasChanged = await received.review();

  expect(hasChanged).toBe(true);
  expect(readFileSync(received.locate(at('own')), 'utf8')).toBe('theirs');
  expect(await received.review()).toBe(false);
});

test('a directory that is not there can be listed where it is kept', async () => {
  const received = await opened();
  const files = { 'keys/a.pem': 'a', 'keys/deep/b.pem': 'b' };

  await received.apply(digest('a'), payload(files, { paths: [at('keys')] }));
  await received.review();

  expect(readdirSync(received.locate(at('keys'))).sort()).toEqual(['a.pem', 'deep']);
  expect(received.current.mappings.map(({ logicalDirectory }) => logicalDirectory)).toEqual([at('keys')]);
});

test('in a directory of its own only the files that are missing come from the primary', async () => {
  mkdirSync(at('keys'));
  writeFileSync(at('keys/a.pem'), 'mine');
  const received = await opened();

  await received.apply(
    digest('a'),
    payload({ 'keys/a.pem': 'a', 'keys/b.pem': 'b' }, { paths: [at('keys')] }),
  );

  expect(received.locate(at('keys/a.pem'))).toBe(at('keys/a.pem'));
  expect(readFileSync(received.locate(at('keys/b.pem')), 'utf8')).toBe('b');
  expect(received.locate(at('keys'))).toBe(at('keys'));
});

test('the next process has them without asking anybody, and none that are damaged', async () => {
  await (await opened()).apply(digest('a'), payload({ key: 'secret' }, { hieraConfig: at('hiera.yaml') }));

  const next = await opened();
  const place = next.locate(at('key'));
  const { digest: known, hieraConfig } = next.current;
  writeFileSync(place, 'cut');
  const after = await opened();

  expect(known).toBe(digest('a'));
  expect(hieraConfig).toBe(at('hiera.yaml'));
  expect(place).not.toBe(at('key'));
  expect(after.current.digest).toBeUndefined();
});

test('a file that the primary cannot read any more stays as it was', async () => {
  const received = await opened();
  await received.apply(
    digest('a'),
    payload({ key: 'secret', 'dir/one': '1' }, { paths: [at('key'), at('dir')] }),
  );

  await received.apply(
    digest('b'),
    payload({}, { paths: [at('key'), at('dir')], problems: [problem('key'), problem('dir')] }),
  );

  expect(readFileSync(received.locate(at('key')), 'utf8')).toBe('secret');
  expect(readFileSync(received.locate(at('dir/one')), 'utf8')).toBe('1');
  expect(received.current.missing).toEqual([]);
  // The primary may be on the same machine: it must not read its own copy there.
  expect(existsSync(at('key'))).toBe(false);
});

test('a file that is not wanted any more goes', async () => {
  const received = await opened();
  await received.apply(digest('a'), payload({ 'etc/key': 'secret' }));

  await received.apply(digest('b'), payload({}));

  expect(received.locate(at('etc/key'))).toBe(at('etc/key'));
  expect(existsSync(at('etc'))).toBe(false);
});

test('a required file that neither the primary nor the server has is missing', async () => {
  writeFileSync(at('own'), 'mine');
  const received = await opened();

  const problems = [problem('absent'), problem('own'), problem('found', false)];
  await received.apply(digest('a'), payload({}, { problems, paths: problems.map(({ path }) => path) }));

  expect(received.current.missing.map(({ path }) => path)).toEqual([at('absent')]);
});

test('nothing is left when the server leaves, also when an earlier process had the files', async () => {
  writeFileSync(at('own'), 'mine');
  mkdirSync(at('etc'));
  await (await opened()).apply(
    digest('a'),
    payload({ own: 'theirs', 'etc/a/key': 'secret', 'new/b/key': 'secret' }),
  );
  writeFileSync(at('new/mine'), 'mine');

  await new ReceivedFiles(at('state')).clear();

  expect(readdirSync(at('state'))).toEqual([]);
  expect(readdirSync(at('etc'))).toEqual([]);
  expect(readdirSync(at('new'))).toEqual(['mine']);
  expect(readFileSync(at('own'), 'utf8')).toBe('mine');
});

test('a link of the administrator is nothing of ours', async () => {
  writeFileSync(at('real'), 'mine');
  symlinkSync(at('real'), at('link'));
  const received = await opened();

  await received.apply(digest('a'), payload({ link: 'theirs' }));
  await received.clear();

  expect(readFileSync(at('link'), 'utf8')).toBe('mine');
});

test('two servers on one machine do not take the links of the other for files', async () => {
  const one = await opened();
  const other = new ReceivedFiles(at('other-state'));

  await one.apply(digest('a'), payload({ key: 'secret' }));
  await other.apply(digest('a'), payload({ key: 'secret' }));
  await one.clear();

  expect(readFileSync(other.locate(at('key')), 'utf8')).toBe('secret');
});

test('where this process may not write there are no links', async () => {
  const received = await opened();
  const file = { path: '/etc/bunraku-nowhere/key', isProgram: false, content: Buffer.from('secret') };

  chmodSync(base, 0o755);
  await withoutRoot(directory, () =>
    received.apply(digest('a'), { paths: [file.path], files: [file], problems: [] }),
  );

  expect(readFileSync(received.locate(file.path), 'utf8')).toBe('secret');
  expect(existsSync('/etc/bunraku-nowhere')).toBe(false);
});
