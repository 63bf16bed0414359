import { expect, test } from 'vitest';
import { pathBelow, pathSteps, placeInModule } from './code-path.ts';

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

test.each([
  ['/etc/code/environments/production/site-modules/profile/manifests/base.pp', 'profile/manifests/base.pp'],
  ['/etc/code/environments/production/manifests/site.pp', 'manifests/site.pp'],
  ['/opt/other.pp', '/opt/other.pp'],
])('%s is shown as %s', (file, shown) => {
  expect(placeInModule(file)).toBe(shown);
});
