/** What goes on behind deploys must not be in their way. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CodeVersions } from './code-versions.ts';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';
import type { FetchRequest } from './termini.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
});
afterEach(() => fixture.remove());

/** More than are checked out at the same time: the last ones come later. */
const environments = Array.from({ length: availableParallelism() + 2 }, (_, index) => `e${index}`);

function stage(content: string): void {
  for (const name of environments) fixture.stage(`environments/${name}/a`, `${content} of ${name}`);
}

/** Tells when somebody asks a second time which versions are in use. */
class WatchedVersions extends CodeVersions {
  readonly askedTwice = Promise.withResolvers<void>();
  questions = 0;

  override inUse() {
    this.questions += 1;
    if (this.questions === 2) this.askedTwice.resolve();
    return super.inUse();
  }
}

test('objects that a deploy has just fetched are not removed as unused', async () => {
  stage('1');
  const storage = await fixture.openStorage();
  let served = storage.latestCommits();
  const requests: FetchRequest[] = [];
  const versions = new WatchedVersions();
  let [isFirst, isSecond] = [false, false];
  let second: Promise<void> | undefined;
  const { client, directory } = fixture.follow(
    {
      latestCommits: async () => ({ commits: served, coming: [] }),
      async fetch(request) {
        requests.push(request);
        // Until the tidying of the deploy before is about to look for unused objects.
        if (isSecond) await Promise.race([versions.askedTwice.promise, sleep(300)]);
        return await storage.pack(request.want, request.have, request.isSuspect);
      },
    },
    'remote',
    {
      versions,
      warm: () => sleep(isSecond ? 400 : 0),
      onPruned() {
        if (!isFirst) return;
        [isFirst, isSecond] = [false, true];
        versions.questions = 1;
        served = storage.latestCommits();
        second = client.synchronise();
      },
    },
  );
  await client.synchronise();
  await client.idle();
  // As after many deploys: it is time to pack things together. What lies there besides takes a moment to be removed.
  const packs = join(directory, 'puppet-code.git', 'objects', 'pack');
  for (let count = 0; count < 50; count += 1) writeFileSync(join(packs, `pack-${count}.pack`), '');
  mkdirSync(join(directory, 'versions', 'e0', 'a'.repeat(40)), { recursive: true });
  stage('2');
  served = await storage.commitAll(deploy);
  stage('3');
  await storage.commitAll(deploy);
  isFirst = true;

  await client.synchronise();
  await client.idle();
  await second;
  await client.idle();

  expect(requests.filter(({ isSuspect }) => isSuspect)).toEqual([]);
  expect(versions.commits()).toEqual(storage.latestCommits());
});
