import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CodeVersion } from './code-versions.ts';
import { FileSyncFixture, treeOf } from './filesync-fixture.testing.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
});
afterEach(() => fixture.remove());

test('one version that was spoiled keeps no other from being served again, and is mended', async () => {
  for (const name of ['production', 'testing']) fixture.stage(`environments/${name}/environment.conf`, name);
  const storage = await fixture.openStorage();
  const source = {
    latestCommits: async () => ({ commits: storage.latestCommits(), coming: [] }),
    fetch: ({
      have,
      isSuspect,
      want,
    }: {
      have: readonly string[];
      isSuspect: boolean;
      want: readonly string[];
    }) => storage.pack(want, have, isSuspect),
  };
  const before = fixture.follow(source, 'remote');
  await before.client.synchronise();
  await before.client.stop();
  const spoiled = before.versions.current('testing')?.directory ?? '';
  rmSync(join(spoiled, 'environment.conf'));

  const warm = async ({ directory, environment }: CodeVersion) => {
    if (treeOf(directory)['environment.conf'] === undefined) throw new Error(`${environment} has no files`);
  };
  const after = fixture.follow(source, 'remote', { warm });
  await after.client.restore();
  const restored = after.versions.environments();
  await after.client.synchronise();

  expect(restored).toEqual(['production']);
  expect(after.versions.commits()).toEqual(storage.latestCommits());
  expect(treeOf(spoiled)['environment.conf']).toBe('- testing');
});
