import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeIdOf } from './code-versions.ts';
import { deploy, FileSyncFixture, type Follower, treeOf } from './filesync-fixture.testing.ts';
import type { FileSyncStorage } from './storage.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
  for (const name of ['a', 'b', 'c'])
    fixture.stage(`environments/production/modules/${name}/manifests/init.pp`, `class ${name} { # ${name}`);
  fixture.stage('modules/shared/a', 'shared');
});
afterEach(() => fixture.remove());

/** What each kind of object of a commit is called. */
const kinds: Readonly<Record<string, string>> = {
  'the commit': '',
  'its tree': '^{tree}',
  'the tree of the environment': ':code',
  'a tree within it': ':code/modules/b/manifests',
  'a file': ':code/modules/b/manifests/init.pp',
  'the tree of shared files': ':shared',
  'a shared file': ':shared/modules/shared/a',
  'the layout': ':layout.json',
};

/** Spoils one object of a repository, wherever it lies. */
function spoil(repository: string, expression: string): void {
  const id = execFileSync('git', [`--git-dir=${repository}`, 'rev-parse', expression])
    .toString()
    .trim();
  const packs = join(repository, 'objects/pack');
  for (const name of readdirSync(packs).filter((entry) => entry.endsWith('.idx'))) {
    // It says nothing of packs that have been spoiled before.
    const listed = spawnSync('git', ['verify-pack', '-v', join(packs, name)]).stdout.toString();
    const [, length = '0', offset = '0'] =
      new RegExp(`^${id} \\w+ +\\d+ (\\d+) (\\d+)`, 'm').exec(listed) ?? [];
    if (length === '0') continue;
    const path = join(packs, name.replace(/idx$/, 'pack'));
    const content = readFileSync(path);
    // Behind the object's head, in what is compressed.
    const at = Number(offset) + Math.ceil(Number(length) / 2);
    content[at] = (content[at] ?? 0) ^ 0xff;
    chmodSync(path, 0o600);
    writeFileSync(path, content);
    return;
  }
  throw new Error(`there is no object ${expression}`);
}

async function expectServed(storage: FileSyncStorage, follower: Follower): Promise<void> {
  const { client, versions } = follower;
  // The first attempt may find the damage and ask for what is mended meanwhile.
  await client.synchronise().catch(() => client.synchronise());
  const version = versions.current('production');
  expect(version?.commit).toBe(storage.latestCommits()['production']);
  expect(treeOf(version?.directory ?? '')).toEqual(treeOf(join(fixture.staging, 'environments/production')));
  expect(treeOf(version?.sharedDirectory ?? '')).toMatchObject({ 'modules/shared/a': '- shared' });
}

describe.each(Object.entries(kinds))('%s is damaged', (_kind, path) => {
  test('on a compile server: the next version is whole', async () => {
    // As if the files had been there for a while: the next commit has most in common with this one.
    const storage = await fixture.openStorage({ now: () => Date.now() + 10_000 });
    const remote = fixture.remote(storage);
    await expectServed(storage, remote);
    spoil(join(remote.directory, 'puppet-code.git'), `${remote.versions.commits()['production']}${path}`);
    fixture.stage('environments/production/modules/a/manifests/init.pp', 'class a { notice(2) }');
    await storage.commitAll(deploy);

    await expectServed(storage, remote);
  });

  test('on the primary: clients get it, and the next commit is whole', async () => {
    const storage = await fixture.openStorage({ now: () => Date.now() + 10_000 });
    spoil(join(fixture.root, 'storage/puppet-code.git'), `${storage.latestCommits()['production']}${path}`);

    await expectServed(storage, fixture.remote(storage, 'new'));
    fixture.stage('environments/production/modules/a/manifests/init.pp', 'class a { notice(2) }');
    await storage.commitAll(deploy);

    await expectServed(storage, fixture.remote(storage, 'newer'));
  });
});

describe('a repository with damage on the primary', () => {
  /** Four commits; what changes from one to the next are the files `a` and `stays-N`. */
  async function commits(storage: FileSyncStorage): Promise<readonly string[]> {
    const made: string[] = [];
    for (const content of ['1', '2', '3', '4']) {
      fixture.stage('environments/production/files/a', content);
      fixture.stage(`environments/production/files/stays-${content}`, content);
      made.push((await storage.commitAll(deploy))['production'] ?? '');
    }
    return made;
  }

  async function contentOf({ client }: Follower, commit: string): Promise<string | undefined> {
    const found = await client.findFile('production', codeIdOf('production', commit), 'files/a');
    return found && (await text(found.open()));
  }

  test('keeps earlier commits, for the way back and for agents with catalogs of them, but for what is damaged', async () => {
    const storage = await fixture.openStorage();
    const [first = '', second = '', third = '', fourth = ''] = await commits(storage);
    const repository = join(fixture.root, 'storage/puppet-code.git');
    spoil(repository, `${third}:code/files/a`);
    spoil(repository, `${fourth}:code/files/a`);

    const late = fixture.remote(storage, 'late');
    await expectServed(storage, late);

    const found = await Promise.all([first, second, third].map((commit) => contentOf(late, commit)));
    expect(found).toEqual(['1', '2', undefined]);
    await storage.activate('production', second);
    await late.client.synchronise();
    expect(late.versions.current('production')?.commit).toBe(second);
  });

  test('keeps them when what mends it is killed in the middle', async () => {
    const storage = await fixture.openStorage();
    const [first = ''] = await commits(storage);
    await storage.idle();
    const repository = join(fixture.root, 'storage/puppet-code.git');
    renameSync(repository, `${repository}.damaged`);
    execFileSync('git', ['init', '--quiet', '--bare', repository]);

    const restarted = await fixture.openStorage();

    expect(await contentOf(fixture.remote(restarted, 'late'), first)).toBe('1');
    expect(readdirSync(join(fixture.root, 'storage')).filter((name) => name.includes('.git'))).toEqual([
      'puppet-code.git',
    ]);
  });
});
