/** Disks that are full at whatever step: a little more room each time, until a version gets through. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  deploy,
  FileSyncFixture,
  type Follower,
  treeOf,
} from '../../src/services/filesync/filesync-fixture.testing.ts';
import { canMount, SmallDisk } from './full-disk.ts';

const page = 4096;
/** Shares of the space that a version needs, from nothing to more than all. */
const rooms = [0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512].map(
  (pages) => pages * page,
);
const megabytes = 24;

if (!canMount()) console.warn('SKIPPED: to fill a disk needs root');

describe.runIf(canMount())('A disk with too little room', () => {
  let fixture: FileSyncFixture;
  let disk: SmallDisk | undefined;
  /** Each version that was staged, by the content of one file. */
  let versions: Map<string, ReturnType<typeof treeOf>>;

  beforeEach(() => {
    fixture = new FileSyncFixture(process.env['PATH']);
    versions = new Map();
  });
  afterEach(async () => {
    disk?.free();
    disk?.unmount();
    await fixture.remove();
  });

  function stage(version: number): void {
    fixture.stage('environments/production/version', String(version));
    for (let index = 0; index < 20; index += 1)
      fixture.stage(`environments/production/modules/m${index}/files/f`, randomBytes(6000));
    versions.set(`- ${version}`, treeOf(join(fixture.staging, 'environments/production')));
  }

  function servedBy({ versions: served }: Follower): string {
    const tree = treeOf(served.current('production')?.directory ?? '');
    const version = tree['version'] ?? '';
    expect(tree).toEqual(versions.get(version));
    return version;
  }

  test('below the storage: a commit is whole or refused, and what was served stays', async () => {
    disk = new SmallDisk(join(fixture.root, 'storage'), megabytes);
    stage(0);
    const storage = await fixture.openStorage({ keptCommits: 2, graceSeconds: 0 });
    const remote = fixture.remote(storage);
    await remote.client.synchronise();
    const refusals: number[] = [];
    for (const [index, room] of rooms.entries()) {
      stage(index + 1);
      // Nothing else may write while the room is measured.
      await storage.idle();
      disk.leave(room);
      await storage.commitAll(deploy).catch((error: unknown) => {
        expect(String(error)).toMatch(/no space left on device/i);
        refusals.push(room);
      });
      await remote.client.synchronise();
      expect(servedBy(remote)).toBe(refusals.includes(room) ? `- ${index}` : `- ${index + 1}`);
      disk.free();
      await storage.commitAll(deploy);
      await remote.client.synchronise();
      expect(servedBy(remote)).toBe(`- ${index + 1}`);
    }
    await storage.idle();

    expect(refusals.length).toBeGreaterThan(3);
    expect(refusals.length).toBeLessThan(rooms.length);
  });

  test('below a compile server: a version is live as a whole or not at all', async () => {
    disk = new SmallDisk(join(fixture.root, 'remote'), megabytes);
    stage(0);
    const storage = await fixture.openStorage();
    let remote = fixture.remote(storage);
    await remote.client.synchronise();
    const failures: number[] = [];
    for (const [index, room] of rooms.entries()) {
      stage(index + 1);
      await storage.commitAll(deploy);
      await remote.client.idle();
      disk.leave(room);
      const failed = await remote.client.synchronise().catch((error: unknown) => {
        expect(String(error)).toMatch(/no space left on device/i);
        failures.push(room);
        return 'failed';
      });
      expect(servedBy(remote)).toBe(failed === 'failed' ? `- ${index}` : `- ${index + 1}`);
      await remote.client.stop();
      // What begins on a full disk serves what it did.
      const again = fixture.remote(storage);
      await again.client.restore();
      expect([`- ${index}`, `- ${index + 1}`]).toContain(servedBy(again));
      disk.free();
      await again.client.synchronise();
      expect(servedBy(again)).toBe(`- ${index + 1}`);
      remote = again;
    }

    expect(failures.length).toBeGreaterThan(3);
    expect(failures.length).toBeLessThan(rooms.length);
  });
});
