import { chownSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeFileAtomically } from './atomic-file.ts';
import { makeDirectory } from './make-directory.ts';

const isRoot = process.geteuid?.() === 0;
const service = { uid: 45_001, gid: 45_002 };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-owner-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('makes every directory that is missing', async () => {
  await makeDirectory(join(directory, 'a/b'), 0o750);
  expect(statSync(join(directory, 'a/b')).mode & 0o777).toBe(0o750);
  await expect(makeDirectory(join(directory, 'a/b'))).resolves.toBeUndefined();
});

describe.skipIf(!isRoot)('root, in a directory of the service (skipped: only root can test it)', () => {
  beforeEach(() => chownSync(directory, service.uid, service.gid));

  test('gives it directories and files', async () => {
    await makeDirectory(join(directory, 'a/b'));
    await writeFileAtomically(join(directory, 'a/b/file'), 'content', 0o600);
    for (const path of ['a', 'a/b', 'a/b/file'])
      expect(statSync(join(directory, path))).toMatchObject(service);
  });

  test('gives it nothing that a link leads to', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'bunraku-outside-'));
    writeFileSync(join(outside, 'file'), 'of root');
    symlinkSync(join(outside, 'file'), join(directory, 'file'));
    await writeFileAtomically(join(directory, 'file'), 'new');
    expect(statSync(join(outside, 'file')).uid).toBe(0);
    rmSync(outside, { recursive: true });
  });
});
