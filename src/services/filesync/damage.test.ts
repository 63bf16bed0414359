import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CodeVersions } from './code-versions.ts';
import { deploy, FileSyncFixture, type Follower, treeOf } from './filesync-fixture.testing.ts';
import type { FileSyncStorage } from './storage.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
  for (let index = 0; index < 30; index += 1)
    fixture.stage(
      `environments/production/modules/m${index}/manifests/init.pp`,
      `class m${index} { # ${index} }\n`,
    );
  fixture.stage('modules/shared/a', 'shared');
});
afterEach(() => fixture.remove());

/** Every file of a repository that matches. */
function filesOf(repository: string, pattern: RegExp): string[] {
  return readdirSync(repository, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(repository, name));
}

function flipBytes(path: string, every: number): void {
  const content = readFileSync(path);
  for (let offset = 20; offset < content.length; offset += every)
    content[offset] = (content[offset] ?? 0) ^ 0x55;
  execFileSync('chmod', ['u+w', path]);
  writeFileSync(path, content);
}

const damages: Readonly<Record<string, (repository: string) => void>> = {
  'bytes flipped in packs': (repository) => {
    for (const path of filesOf(repository, /\.pack$/)) flipBytes(path, 37);
  },
  'one byte flipped in each pack': (repository) => {
    for (const path of filesOf(repository, /\.pack$/)) flipBytes(path, 1e9);
  },
  'bytes flipped in indexes of packs': (repository) => {
    for (const path of filesOf(repository, /\.idx$/)) flipBytes(path, 61);
  },
  'packs cut off': (repository) => {
    for (const path of filesOf(repository, /\.pack$/)) truncateSync(path, 100);
  },
  'packs gone': (repository) => {
    for (const path of filesOf(repository, /\.pack$/)) rmSync(path);
  },
  'all objects gone': (repository) => rmSync(join(repository, 'objects'), { recursive: true }),
  'HEAD full of rubbish': (repository) => writeFileSync(join(repository, 'HEAD'), Buffer.alloc(200, 0xa5)),
  'HEAD gone': (repository) => rmSync(join(repository, 'HEAD')),
  'config full of rubbish': (repository) => writeFileSync(join(repository, 'config'), '[[[\0\n'),
  'references gone': (repository) => {
    rmSync(join(repository, 'refs'), { recursive: true });
    rmSync(join(repository, 'packed-refs'), { force: true });
  },
  'the repository gone': (repository) => rmSync(repository, { recursive: true }),
  'locks left behind': (repository) => {
    for (const name of ['HEAD.lock', 'packed-refs.lock', 'config.lock', 'gc.pid', 'shallow.lock'])
      writeFileSync(join(repository, name), '');
  },
};

async function expectServed(storage: FileSyncStorage, followers: readonly Follower[]): Promise<void> {
  for (const { client, versions } of followers) {
    // The first attempt may find the damage and ask for what is mended meanwhile.
    await client.synchronise().catch(() => client.synchronise());
    const version = versions.current('production');
    expect(version?.commit).toBe(storage.latestCommits()['production']);
    expect(treeOf(version?.directory ?? '')).toEqual(
      treeOf(join(fixture.staging, 'environments/production')),
    );
    expect(treeOf(version?.sharedDirectory ?? '')).toEqual({
      'modules/': '',
      'modules/shared/': '',
      'modules/shared/a': '- shared',
    });
  }
}

describe.each(Object.entries(damages))('%s', (_name, damage) => {
  test('on a compile server: mends itself with the next deploy, and while it runs serves what it did', async () => {
    // As if the files had been there for a while: the next commit has most in common with this one.
    const storage = await fixture.openStorage({ now: () => Date.now() + 10_000 });
    const remote = fixture.remote(storage);
    await expectServed(storage, [remote]);
    const before = remote.versions.current('production');
    damage(join(remote.directory, 'puppet-code.git'));
    fixture.stage('environments/production/modules/m3/manifests/init.pp', 'class m3 { notice(2) }\n');

    await storage.commitAll(deploy);

    expect(existsSync(join(before?.directory ?? '', 'modules/m3/manifests/init.pp'))).toBe(true);
    await expectServed(storage, [remote]);
  });

  test('on the primary: mends itself, and old and new servers get the code', async () => {
    const versions = new CodeVersions();
    const storage = await fixture.openStorage({
      findCheckedOut: (environment, commit) => {
        const found = [versions.current(environment), local.versions.current(environment)].find(
          (version) => version?.commit === commit,
        );
        return found === undefined
          ? undefined
          : { directory: found.directory, sharedDirectory: found.sharedDirectory };
      },
    });
    const local = fixture.local(storage);
    const remote = fixture.remote(storage);
    await expectServed(storage, [local, remote]);
    const before = storage.latestCommits()['production'];
    damage(join(fixture.root, 'storage/puppet-code.git'));

    await expectServed(storage, [fixture.remote(storage, 'new')]);
    const mended = storage.latestCommits()['production'];
    fixture.stage('environments/production/modules/m4/manifests/init.pp', 'class m4 { notice(2) }\n');
    await storage.commitAll(deploy);

    // The same files by the same author are the same commit: there is no difference to see.
    expect(mended).toBe(before);
    await expectServed(storage, [local, remote, fixture.remote(storage, 'newer')]);
  });
});

const foundAtStart = ['packs cut off', 'HEAD full of rubbish', 'the repository gone', 'locks left behind'];

describe.each(foundAtStart)('%s', (name) => {
  test('on the primary while it was down: it starts, with the same commit or with what is staged', async () => {
    await (await fixture.openStorage()).idle();
    damages[name]?.(join(fixture.root, 'storage/puppet-code.git'));

    const storage = await fixture.openStorage();

    await expectServed(storage, [fixture.remote(storage), fixture.local(storage)]);
  });
});

test('damage in a pack that is too large to be held is noticed while it is sent, and mended', async () => {
  for (const name of ['a', 'b', 'c', 'd'])
    fixture.stage(`environments/production/large-${name}`, randomBytes(6 * 1024 * 1024));
  const storage = await fixture.openStorage();
  for (const path of filesOf(join(fixture.root, 'storage/puppet-code.git'), /\.pack$/)) {
    const content = readFileSync(path);
    for (let offset = content.length - 400_000; offset < content.length - 100; offset += 97)
      content[offset] = (content[offset] ?? 0) ^ 0x55;
    execFileSync('chmod', ['u+w', path]);
    writeFileSync(path, content);
  }
  const remote = fixture.remote(storage);
  await remote.client.synchronise().catch(() => undefined);
  await storage.idle();

  await expectServed(storage, [remote]);
});

describe('what is known of the staging directory', () => {
  test.each(['scans/production', 'scans/.shared', 'environments/production.json'])(
    '%s is full of rubbish',
    async (name) => {
      await (await fixture.openStorage()).idle();
      writeFileSync(join(fixture.root, 'storage', name), Buffer.alloc(500, 0x7b));

      const storage = await fixture.openStorage();
      fixture.stage('environments/production/new', 'n');
      await storage.commitAll(deploy);

      await expectServed(storage, [fixture.remote(storage)]);
    },
  );
});

describe('what is known of versions', () => {
  test.each(['live.json', 'indexes'])(
    '%s is full of rubbish: everything is checked out anew',
    async (name) => {
      const storage = await fixture.openStorage();
      const first = fixture.remote(storage);
      await expectServed(storage, [first]);
      await first.client.idle();
      const commit = storage.latestCommits()['production'] ?? '';
      const path = name === 'indexes' ? join('indexes/versions/production', commit) : name;
      writeFileSync(join(first.directory, path), Buffer.alloc(500, 0x7b));
      const second = fixture.remote(storage);
      await second.client.restore();

      fixture.stage('environments/production/new', 'n');
      await storage.commitAll(deploy);

      await expectServed(storage, [second]);
    },
  );
});
