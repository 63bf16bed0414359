/** Servers that are killed in the middle of deploys, and disks that are full; `node test/filesync/faults.ts` does more of it. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { canMount, codeDirectoryOf, SmallDisk } from '../filesync/full-disk.ts';
import { fillAndFree } from '../filesync/full-disk-rounds.ts';
import { killRounds } from '../filesync/kill-rounds.ts';
import { WatchedInstallation } from '../filesync/watched-installation.ts';
import { scenarios } from './support/requirements.ts';

scenarios('Code, when servers and disks fail', () => {
  const running: { watched?: WatchedInstallation; disks: SmallDisk[] } = { disks: [] };
  const watched = () => {
    if (running.watched === undefined) throw new Error('the installation does not run yet');
    return running.watched;
  };
  beforeAll(async () => {
    const prepared = await WatchedInstallation.prepare(inject('program'), inject('project'));
    running.watched = prepared;
    if (canMount())
      running.disks = (['primary', 'compile1'] as const).map(
        (name) => new SmallDisk(codeDirectoryOf(prepared, name), 64),
      );
    await prepared.start();
    prepared.beginWatching();
  });
  afterAll(async () => {
    await watched().stop();
    for (const disk of running.disks) disk.unmount();
    watched().remove();
  });

  test('a server that was killed during a deploy serves the whole of it when it is back', async () => {
    const delays = [0.1, 0.3, 0.5, 0.7];

    const { healedMs } = await killRounds(watched(), delays.length, () => delays.shift() ?? 0);

    expect(healedMs).toHaveLength(4);
  });

  test.runIf(canMount())('a full disk keeps the version before alive, and heals (needs root)', async () => {
    for (const [index, disk] of running.disks.entries())
      await fillAndFree(watched(), disk, 1000 + index * 10, index === 0 ? 'primary' : 'compile server');
  });

  test('every catalog was made of one version', () => {
    const { catalogs, faults } = watched().watch;

    expect(faults).toEqual([]);
    expect(catalogs).toBeGreaterThan(20);
  });
});
