import { describe, expect, test } from 'vitest';
import { plusPath } from './logical-path.ts';

describe('plusPath', () => {
  // Each as Ruby 3.1 has it: ruby -rpathname -e 'puts Pathname("/d") + "role//a"'
  test.each([
    ['/d', 'x', '/d/x'],
    ['/d', 'role//a.yaml', '/d/role//a.yaml'],
    ['/d/', 'x', '/d/x'],
    ['/d//', '', '/d'],
    ['/d//e', 'x', '/d//e/x'],
    ['/d', './x', '/d/x'],
    ['/d', './/x', '/d/x'],
    ['/d', 'a/./b', '/d/a/./b'],
    ['/d', 'a/../b', '/d/a/../b'],
    ['/d', '', '/d'],
    ['/d', '.', '/d'],
    ['/d', './', '/d'],
    ['/d', 'x/', '/d/x/'],
    ['/d', '..x', '/d/..x'],
    ['/d', '/x//y', '/x//y'],
    ['/d', '..', '/'],
    ['/d', '..//x', '/x'],
    ['/d', '../../../x', '/x'],
    ['/', '../x', '/x'],
    ['/d/./', 'x', '/d/x'],
    ['/d/.', '../x', '/x'],
    ['/d/..', 'x', '/d/../x'],
    ['/d/..', '../x', '/d/../../x'],
    ['/d/e', '../', '/d'],
    ['/d/e', './.././x', '/d/x'],
    ['/d/e', '..//../x', '/x'],
  ])('%s and %s', (directory, path, expected) => {
    expect(plusPath(directory, path)).toBe(expected);
  });
});
