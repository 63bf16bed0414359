import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeUnfinishedFiles, writeFileAtomically } from './atomic-file.ts';

test('what a process that was killed has left is removed, and nothing else', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-atomic-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await writeFileAtomically(join(directory, 'live.json'), '{}');
  for (const name of ['live.json.0123456789ab.tmp', 'mine.tmp', 'live.json.tmp'])
    writeFileSync(join(directory, name), 'half');

  await removeUnfinishedFiles(directory);
  await removeUnfinishedFiles(join(directory, 'absent'));

  expect(readdirSync(directory).toSorted()).toEqual(['live.json', 'live.json.tmp', 'mine.tmp']);
});

test('a name may be as long as the file system allows', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-atomic-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const names = ['a'.repeat(255), 'ü'.repeat(127), '日'.repeat(85)];

  for (const name of names) await writeFileAtomically(join(directory, name), 'text');

  expect(readdirSync(directory).toSorted()).toEqual(names.toSorted());
});

test('nothing is left behind by a file that can not be written', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-atomic-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'taken'));

  await expect(writeFileAtomically(join(directory, 'taken'), 'text')).rejects.toThrow();

  expect(readdirSync(directory)).toEqual(['taken']);
});

test('a file has the mode that was asked for, else what the umask leaves', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-atomic-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const usual = process.umask(0o077);
  onTestFinished(() => {
    process.umask(usual);
  });

  await writeFileAtomically(join(directory, 'public'), 'text', 0o644);
  await writeFileAtomically(join(directory, 'usual'), 'text');

  const modes = ['public', 'usual'].map((name) => statSync(join(directory, name)).mode & 0o777);
  expect(modes).toEqual([0o644, 0o600]);
});
