import { expect, onTestFinished, test } from 'vitest';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';

async function twoCommits() {
  const fixture = new FileSyncFixture(process.env['PATH']);
  onTestFinished(() => fixture.remove());
  const stage = (name: string, content: string) => fixture.stage(`environments/production/${name}`, content);
  stage('manifests/site.pp', 'node default {\n  include ntp\n}\n');
  stage('data/common.yaml', 'a: 1\n');
  stage('data/[odd].yaml', 'b: 1\n');
  const storage = await fixture.openStorage();
  const before = storage.latestCommits()['production'] ?? '';
  stage('manifests/site.pp', 'node default {\n  include chrony\n}\n');
  stage('data/[odd].yaml', 'b: 2\n');
  stage('modules/new/manifests/init.pp', 'class new {}\n');
  await storage.commitAll(deploy);
  return { files: storage.files, before, after: storage.latestCommits()['production'] ?? '' };
}

test('directories and files of each commit that is kept', async () => {
  const { after, before, files } = await twoCommits();

  expect(await files.find('production', after, '', 100)).toEqual({
    kind: 'directory',
    entries: ['data', 'manifests', 'modules'].map((name) => ({ name, kind: 'directory', bytes: undefined })),
  });
  expect(await files.find('production', before, 'manifests/', 100)).toMatchObject({
    entries: [{ name: 'site.pp', kind: 'file', bytes: 31 }],
  });
  const site = await files.find('production', before, 'manifests/site.pp', 100);
  expect(site).toMatchObject({ kind: 'file', bytes: 31 });
  expect(site?.kind === 'file' && site.content?.toString()).toContain('include ntp');
  expect(await files.find('production', before, 'manifests/site.pp', 10)).toEqual({
    kind: 'file',
    bytes: 31,
    content: undefined,
  });
});

test('what is not there is not found, and no path leaves the environment', async () => {
  const { after, before, files } = await twoCommits();

  expect(await files.find('production', before, 'modules/new/manifests/init.pp', 100)).toBeUndefined();
  expect(await files.find('production', 'f'.repeat(40), '', 100)).toBeUndefined();
  expect(await files.find('testing', after, '', 100)).toBeUndefined();
  for (const path of ['../shared', 'data/../..', '/etc/passwd', './data', 'a\nb', 'a\0'])
    await expect(files.find('production', after, path, 100)).rejects.toMatchObject({ reason: 'bad-request' });
});

test('the files that differ between two commits, and their lines', async () => {
  const { after, before, files } = await twoCommits();

  expect(await files.compare('production', before, after)).toEqual([
    { path: 'data/[odd].yaml', kind: 'changed' },
    { path: 'manifests/site.pp', kind: 'changed' },
    { path: 'modules/new/manifests/init.pp', kind: 'added' },
  ]);
  const lines = await files.changedLines('production', before, after, 'manifests/site.pp');
  expect(lines).toContain('-  include ntp\n+  include chrony');
  expect(lines).toContain('@@ -2 +2 @@');
  expect(await files.changedLines('production', before, after, 'data/[odd].yaml')).toContain('+b: 2');
  expect(await files.compare('production', before, 'f'.repeat(40))).toBeUndefined();
});
