import { existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';
import { localSource } from './sources.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
  for (const name of ['production', 'testing', 'mine', 'linked'])
    fixture.stage(`environments/${name}/a`, '1');
});
afterEach(() => fixture.remove());

test('live versions are where people look for them; what somebody else put there stays', async () => {
  const code = join(fixture.root, 'code/environments');
  mkdirSync(join(code, 'mine'), { recursive: true });
  writeFileSync(join(code, 'mine/file'), 'by hand');
  symlinkSync('/elsewhere', join(code, 'linked'));
  symlinkSync('/elsewhere', join(code, 'other'));
  const storage = await fixture.openStorage();
  const { client, versions } = fixture.follow(localSource(storage, 'p'), 'local', {
    linkPath: ({ environment }) => join(code, environment),
  });
  const target = () => readlinkSync(join(code, 'production'));
  await client.synchronise();
  await client.idle();
  const first = versions.current('production')?.directory;
  const linked = target();
  fixture.stage('environments/production/a', '2');
  rmSync(join(fixture.staging, 'environments/testing'), { recursive: true });
  await storage.commitAll(deploy);

  await client.synchronise();
  await client.idle();

  expect(linked).toBe(first);
  expect(target()).toBe(versions.current('production')?.directory);
  expect(target()).not.toBe(first);
  expect(existsSync(join(code, 'testing'))).toBe(false);
  expect(existsSync(join(code, 'mine/file'))).toBe(true);
  expect(['linked', 'other'].map((name) => readlinkSync(join(code, name)))).toEqual([
    '/elsewhere',
    '/elsewhere',
  ]);
});
