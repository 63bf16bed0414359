import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deploy, FileSyncFixture, type Follower, treeOf } from './filesync-fixture.testing.ts';
import type { FileSyncStorage } from './storage.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
});
afterEach(() => fixture.remove());

function production(...names: string[]): string {
  return join(fixture.staging, 'environments/production', ...names);
}

function live({ versions }: Follower, environment = 'production'): string {
  const version = versions.current(environment);
  if (version === undefined) throw new Error(`${environment} is not live`);
  return version.directory;
}

/** Both kinds of clients serve what is staged. */
async function followers(storage: FileSyncStorage): Promise<readonly Follower[]> {
  const both = [fixture.local(storage), fixture.remote(storage)];
  for (const { client } of both) await client.synchronise();
  return both;
}

async function expectSame(both: readonly Follower[], expected = treeOf(production())): Promise<void> {
  for (const follower of both) {
    await follower.client.synchronise();
    expect(treeOf(live(follower))).toEqual(expected);
  }
}

describe('a version is exactly what was staged', () => {
  test('empty directories, links, execute permissions, hidden files', async () => {
    fixture.stage('environments/production/bin/run', '#!/bin/sh\n');
    chmodSync(production('bin/run'), 0o750);
    fixture.stage('environments/production/.hidden/.file', 'h');
    mkdirSync(production('modules/none/deep'), { recursive: true });
    mkdirSync(production('empty'));
    symlinkSync('../bin/run', production('empty-link'));
    symlinkSync('/nowhere/at/all', production('absolute'));
    symlinkSync('modules', production('directory-link'));

    await expectSame(await followers(await fixture.openStorage()));
  });

  test('after each of many changes of kind and content', async () => {
    fixture.stage('environments/production/a/b/c', '1');
    fixture.stage('environments/production/d', '1');
    fixture.stage('environments/production/keep', 'k');
    mkdirSync(production('e/f'), { recursive: true });
    const storage = await fixture.openStorage();
    const both = await followers(storage);
    const changes: readonly (() => void)[] = [
      () => writeFileSync(production('d'), '2'), // the same size
      () => rmSync(production('a/b/c')), // a directory becomes empty
      () => rmSync(production('a'), { recursive: true }),
      () => writeFileSync(production('a'), 'a file now'),
      () => {
        rmSync(production('a'));
        mkdirSync(production('a/x'), { recursive: true });
      },
      () => writeFileSync(production('e/f/g'), ''), // not empty any more
      () => renameSync(production('e'), production('E')),
      () => chmodSync(production('d'), 0o755),
      () => {
        rmSync(production('d'));
        symlinkSync('keep', production('d'));
      },
      () => {
        rmSync(production('d'));
        mkdirSync(production('d'));
      },
      () => rmSync(production('E'), { recursive: true }),
    ];

    for (const change of changes) {
      change();
      await storage.commitAll(deploy);
      await expectSame(both);
    }
  });

  test('names with any bytes', async () => {
    const names = [
      'with space',
      'quote"and\\backslash',
      'line\nbreak',
      'tab\t',
      '-dash',
      'umlaut-\u00fc',
      'git~1',
      '.git-not',
      '*?[x]',
      ' lead',
      '$HOME',
      'con:nul',
      '\u4e2d\u6587',
    ];
    for (const name of names) fixture.stage(`environments/production/dir ${name}/${name}`, name);
    const odd = Buffer.concat([Buffer.from(`${production()}/odd-`), Buffer.from([0xff, 0xfe, 0x80])]);
    writeFileSync(odd, 'not UTF-8');
    mkdirSync(Buffer.concat([odd, Buffer.from('-directory')]));
    const storage = await fixture.openStorage();
    const both = await followers(storage);

    await expectSame(both);
    rmSync(odd);
    rmSync(production('dir tab\t'), { recursive: true });
    await storage.commitAll(deploy);
    await expectSame(both);
  });

  test('without the repositories that lie in it, with all files in them', async () => {
    fixture.stage('environments/production/modules/m/manifests/init.pp', 'class m {}');
    fixture.stage('environments/production/modules/m/.gitignore', '*\n');
    const git = (...args: string[]) => execFileSync('git', ['-C', production('modules/m'), ...args]);
    git('init', '--quiet');
    git('add', '--force', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '-m', 'x');
    fixture.stage('environments/production/modules/s/.git', 'gitdir: ../../.git/modules/s\n');
    fixture.stage('environments/production/modules/s/x', 'a submodule');
    mkdirSync(production('.git'));

    const both = await followers(await fixture.openStorage());

    await expectSame(both, {
      'modules/': '',
      'modules/m/': '',
      'modules/m/.gitignore': '- *\n',
      'modules/m/manifests/': '',
      'modules/m/manifests/init.pp': '- class m {}',
      'modules/s/': '',
      'modules/s/x': '- a submodule',
    });
  });

  test('of nothing but empty directories, and of nothing at all', async () => {
    mkdirSync(production(), { recursive: true });
    const storage = await fixture.openStorage();
    const both = await followers(storage);
    await expectSame(both, {});

    mkdirSync(production('modules'));
    await storage.commitAll(deploy);
    await expectSame(both, { 'modules/': '' });
  });

  test('also when somebody changed the version before in place', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('environments/production/b', '1');
    const storage = await fixture.openStorage();
    const both = await followers(storage);
    for (const follower of both) {
      writeFileSync(join(live(follower), 'a'), 'changed by hand');
      writeFileSync(join(live(follower), 'added'), 'by hand');
      rmSync(join(live(follower), 'b'));
    }
    fixture.stage('environments/production/c', '1');

    await storage.commitAll(deploy);

    await expectSame(both);
  });

  test('when a file changes within one tick of the clock, without its size changing', async () => {
    fixture.stage('environments/production/a', '0');
    const storage = await fixture.openStorage();
    const both = await followers(storage);
    for (let count = 1; count < 10; count += 1) {
      const at = new Date();
      fixture.stage('environments/production/a', String(count));
      utimesSync(production('a'), at, at);
      await storage.commitAll(deploy);
    }

    await expectSame(both);
  });
});

describe('what lies beside environments', () => {
  test('belongs to the version of each of them', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('environments/testing/a', '1');
    fixture.stage('modules/shared/manifests/init.pp', 'class shared { }');
    mkdirSync(join(fixture.staging, 'modules/empty'));
    const storage = await fixture.openStorage();
    const both = await followers(storage);
    const before = storage.latestCommits();
    fixture.stage('modules/shared/manifests/init.pp', 'class shared { 1 }');

    const after = await storage.commitAll(deploy);

    expect(after['production']).not.toBe(before['production']);
    for (const follower of both) {
      await follower.client.synchronise();
      const shared = ['production', 'testing'].map(
        (name) => follower.versions.current(name)?.sharedDirectory ?? '',
      );
      expect(shared[0]).toBe(shared[1]);
      expect(treeOf(shared[0] ?? '')).toEqual({
        'modules/': '',
        'modules/empty/': '',
        'modules/shared/': '',
        'modules/shared/manifests/': '',
        'modules/shared/manifests/init.pp': '- class shared { 1 }',
      });
    }
  });

  test('is served without what somebody else works with there', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('modules/shared/a', '1');
    const storage = await fixture.openStorage({ unserved: ['.work'] });
    const both = await followers(storage);
    const before = storage.latestCommits();
    fixture.stage('.work/unpacking/b', '1');

    expect(await storage.commitAll(deploy)).toEqual(before);

    const [local] = both;
    expect(treeOf(local?.versions.current('production')?.sharedDirectory ?? '')).toEqual({
      'modules/': '',
      'modules/shared/': '',
      'modules/shared/a': '- 1',
    });
  });

  test('several directories of environments, the first that has one wins', async () => {
    fixture.stage('environments/production/a', 'first');
    fixture.stage('more/production/a', 'second');
    fixture.stage('more/testing/a', 'second');
    const storage = await fixture.openStorage({ environmentDirectories: ['environments', 'more'] });
    const [local] = await followers(storage);
    if (local === undefined) throw new Error('unreachable');

    expect(treeOf(live(local))).toEqual({ a: '- first' });
    expect(local.versions.current('testing')?.place).toBe('more/testing');
    expect(local.versions.current('production')?.sharedDirectory).toBeUndefined();
  });
});

describe('one environment', () => {
  test('that cannot be read keeps no other from being committed', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('environments/broken/a', '1');
    const storage = await fixture.openStorage();
    const before = storage.latestCommits();
    fixture.stage('environments/production/a', '2');
    // A name that git keeps for itself: refused when the tree is read.
    rmSync(join(fixture.staging, 'environments/broken'), { recursive: true });
    symlinkSync('/nowhere', join(fixture.staging, 'environments/broken'));

    const { commits, failures } = await storage.commit(undefined, deploy);

    expect(commits['production']).not.toBe(before['production']);
    expect(commits['broken']).toBe(before['broken']);
    expect([...failures.keys()]).toEqual(['broken']);
    await expect(storage.commitAll(deploy)).rejects.toThrow("Could not commit environment 'broken'");
  });

  test('that is being written is not committed by others, nor taken for deleted', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('environments/testing/a', '1');
    const storage = await fixture.openStorage();
    const before = storage.latestCommits();
    await storage.hold('production');
    rmSync(production(), { recursive: true });
    fixture.stage('environments/testing/a', '2');

    const all = await storage.commit(undefined, deploy);
    fixture.stage('environments/production/a', 'half');
    const again = await storage.commit(undefined, deploy);

    for (const { commits, leftOut } of [all, again]) {
      expect(commits['production']).toBe(before['production']);
      expect(leftOut).toEqual(['production']);
    }
    expect(all.commits['testing']).not.toBe(before['testing']);
    await expect(storage.commit(['production'], deploy)).rejects.toThrow(
      "Environment 'production' is being deployed by the code manager",
    );
    const own = await storage.commitEnvironment('production', deploy);
    storage.release('production');
    expect(own['production']).not.toBe(before['production']);
    expect(await storage.commitAll(deploy)).toEqual(own);
  });

  test('whose record is damaged is committed anew, and not taken for deleted', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('environments/testing/a', '1');
    await (await fixture.openStorage()).idle();
    writeFileSync(join(fixture.root, 'storage/environments/production.json'), '{');

    const storage = await fixture.openStorage();

    expect(Object.keys(storage.latestCommits()).sort()).toEqual(['production', 'testing']);
    await expectSame(await followers(storage));
  });

  test('goes back to an earlier commit, until the next commit', async () => {
    fixture.stage('environments/production/a', '1');
    const storage = await fixture.openStorage();
    const [local, remote] = await followers(storage);
    if (local === undefined || remote === undefined) throw new Error('unreachable');
    const first = storage.latestCommits()['production'] ?? '';
    fixture.stage('environments/production/a', '2');
    const second = (await storage.commitAll(deploy))['production'];
    for (const { client } of [local, remote]) await client.synchronise();

    await storage.activate('production', first);
    await expectSame([local, remote], { a: '- 1' });
    const third = (await storage.commitAll(deploy))['production'];

    expect(third).not.toBe(first);
    expect(storage.record('production')?.commits.map(({ id }) => id)).toEqual(
      expect.arrayContaining([first, second]),
    );
    await expectSame([local, remote], { a: '- 2' });
    await expect(storage.activate('production', 'f'.repeat(40))).rejects.toThrow('There is no commit');
  });

  test('that is deleted goes from every server, with its files', async () => {
    fixture.stage('environments/production/a', '1');
    fixture.stage('environments/gone/a', '1');
    const storage = await fixture.openStorage();
    const both = await followers(storage);
    rmSync(join(fixture.staging, 'environments/gone'), { recursive: true });

    await storage.commitAll(deploy);

    for (const { client, directory, versions } of both) {
      await client.synchronise();
      await client.idle();
      expect(versions.environments()).toEqual(['production']);
      expect(
        existsSync(join(directory, 'versions/gone')) ? readdirSync(join(directory, 'versions/gone')) : [],
      ).toEqual([]);
    }
  });
});
