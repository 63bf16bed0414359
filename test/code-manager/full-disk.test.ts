/** Disks that are full at whatever step of a deploy: a little more room each time, until it gets through. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canMount, SmallDisk } from '../filesync/full-disk.ts';
import { TestRepository } from './repositories.ts';
import { testManager } from './test-manager.ts';
import { treeOf } from './tree.ts';

const page = 4096;
const rooms = [0, 1, 3, 6, 10, 16, 32, 128].map((pages) => pages * page);

if (!canMount()) console.warn('SKIPPED: to fill a disk needs root');

describe.runIf(canMount())('A deploy with too little room', () => {
  let directory = '';
  let disk: SmallDisk | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bunraku-full-'));
  });
  afterEach(() => {
    disk?.unmount();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(['code-staging', 'code-manager'])(
    'below %s commits nothing that is not whole, says what is wrong, and heals',
    async (place) => {
      const control = new TestRepository(join(directory, 'git', 'control'));
      const module = new TestRepository(join(directory, 'git', 'module'));
      module.commit('master', { 'manifests/init.pp': 'class m {}\n' });
      disk = new SmallDisk(join(directory, place), 24);
      const configuration = `---\nsources:\n  main:\n    remote: ${control.directory}\n`;
      const { deploy, staged, storage } = await testManager(directory, configuration);
      const failures: number[] = [];
      for (const [version, room] of rooms.entries()) {
        const files = Object.fromEntries(
          Array.from({ length: 10 }, (_, index) => [
            `data/${version}-${index}`,
            randomBytes(3000).toString('hex'),
          ]),
        );
        module.commit('master', { 'files/large': randomBytes(20_000).toString('hex') });
        control.commit('production', { ...files, Puppetfile: `mod 'm', git: '${module.directory}'\n` });
        const before = storage.history('production').length;
        disk.leave(room);

        const { production: outcome = '' } = await deploy('production');

        if (outcome !== 'complete') {
          failures.push(room);
          expect(outcome).toMatch(/no space left on device|unable to (write|create)|couldn.t write|ENOSPC/i);
          expect(storage.history('production')).toHaveLength(before);
        }
        disk.free();
        expect(await deploy('production'), `after version ${version}`).toEqual({ production: 'complete' });
        const own = Object.entries(treeOf(staged('production'))).filter(
          ([path]) => !/^(modules|\.r10k-deploy\.json)/.test(path),
        );
        expect(Object.fromEntries(own)).toEqual(treeOf(control.directory));
        expect(treeOf(join(staged('production'), 'modules', 'm'))).toEqual(treeOf(module.directory));
      }

      expect(failures.length).toBeGreaterThan(1);
      expect(failures.length).toBeLessThan(rooms.length);
    },
  );
});
