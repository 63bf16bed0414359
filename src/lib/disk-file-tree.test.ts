import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskFileTree } from './disk-file-tree.ts';

test('a link that leads to itself is as good as missing', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-tree-'));
  symlinkSync('loop', join(directory, 'loop'));
  const tree = new DiskFileTree('/code', directory);

  expect([tree.kind('/code/loop'), tree.readBytes('/code/loop'), tree.list('/code/loop')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  rmSync(directory, { recursive: true });
});
