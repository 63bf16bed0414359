import { describe, expect, test } from 'vitest';
import { globFiles } from './glob.ts';
import { MemoryFileTree } from './memory-file-tree.ts';

const tree = new MemoryFileTree(
  Object.fromEntries(
    ['/d/a.yaml', '/d/b.yaml', '/d/b.json', '/d/.h.yaml', '/d/s/a.yaml', '/d/s/t/c.yaml', '/d/x[1].yaml'].map(
      (path) => [path, ''],
    ),
  ),
);

describe('globFiles', () => {
  test.each([
    ['/d/*.yaml', ['/d/a.yaml', '/d/b.yaml', '/d/x[1].yaml']],
    ['/d/?.yaml', ['/d/a.yaml', '/d/b.yaml']],
    ['/d/[ab].yaml', ['/d/a.yaml', '/d/b.yaml']],
    ['/d/[!a].yaml', ['/d/b.yaml']],
    ['/d/[b-z].{json,yaml}', ['/d/b.json', '/d/b.yaml']],
    ['/d/{b,a}.yaml', ['/d/b.yaml', '/d/a.yaml']],
    ['/d/.*.yaml', ['/d/.h.yaml']],
    ['/d/**/*.yaml', ['/d/a.yaml', '/d/b.yaml', '/d/s/a.yaml', '/d/s/t/c.yaml', '/d/x[1].yaml']],
    ['/d/**/t/*', ['/d/s/t/c.yaml']],
    ['/d/**//c.yaml', ['/d/s/t/c.yaml']],
    ['/d/**/**/c.yaml', ['/d/s/t/c.yaml']],
    ['/*/s/a.yaml', ['/d/s/a.yaml']],
    ['/d/s', []],
    ['/nope/*', []],
    ['/d/a.yaml', ['/d/a.yaml']],
    ['/d/x\\[1].yaml', ['/d/x[1].yaml']],
  ])('%s', (pattern, expected) => {
    expect(globFiles(tree, pattern)).toEqual(expected);
  });

  test('finds directories when asked to', () => {
    expect(globFiles(tree, '/d/*', 'directory')).toEqual(['/d/s']);
  });
});
