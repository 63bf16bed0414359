import { expect, test } from 'vitest';
import { pathBelow, pathSteps } from './code-path.ts';

test('names each directory on the way', () => {
  expect(pathSteps('modules/motd/manifests/init.pp')).toEqual([
    { name: 'modules', path: 'modules' },
    { name: 'motd', path: 'modules/motd' },
    { name: 'manifests', path: 'modules/motd/manifests' },
    { name: 'init.pp', path: 'modules/motd/manifests/init.pp' },
  ]);
  expect(pathSteps('')).toEqual([]);
  expect([pathBelow('', 'data'), pathBelow('data', 'common.yaml')]).toEqual(['data', 'data/common.yaml']);
});
