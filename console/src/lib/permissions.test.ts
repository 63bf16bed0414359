import { expect, test } from 'vitest';
import { effectivePermissions, instancesOf, withInstances } from './permissions.ts';

const view = { object_type: 'node_groups', action: 'view', instance: '*' };
const run = { object_type: 'tasks', action: 'run', instance: 'service' };

test('an action is allowed for some objects, for all, or not at all', () => {
  const some = withInstances([view, run], 'tasks', 'run', ['service', 'package', 'service']);

  expect(instancesOf(some, 'tasks', 'run')).toEqual(['service', 'package']);
  expect(withInstances(some, 'tasks', 'run', ['service', '*'])).toEqual([view, { ...run, instance: '*' }]);
  expect(withInstances(some, 'tasks', 'run', [])).toEqual([view]);
});

test('each permission of a user names the roles that grant it', () => {
  const roles = [
    { display_name: 'Viewers', permissions: [view] },
    { display_name: 'Web team', permissions: [run, view] },
  ];

  expect(effectivePermissions(roles)).toEqual([
    { permission: view, roles: ['Viewers', 'Web team'] },
    { permission: run, roles: ['Web team'] },
  ]);
});
