import { expect, test } from 'vitest';
import { refusalOf } from './group-rights.ts';

const [root, web, shop] = [
  { id: 'r', name: 'All Nodes' },
  { id: 'w', name: 'Web' },
  { id: 's', name: 'Shop' },
];
const may = (action: string, instance: string, object_type = 'node_groups') => ({
  isSuperuser: false,
  permissions: [{ object_type, action, instance }],
});

test('a permission for a group holds for it and those below it', () => {
  const rights = may('edit_classification', 'w');

  expect(refusalOf('classes', web, [root], rights)).toBeUndefined();
  expect(refusalOf('classes', shop, [web, root], rights)).toBeUndefined();
  expect(refusalOf('classes', root, [], rights)).toBe(
    'You may not change the classes of this group: the permission node_groups:edit_classification for this group or one above it is missing.',
  );
});

test('rules and names take a permission for a group above', () => {
  expect(refusalOf('rule', web, [root], may('edit_child_rules', 'w'))).toContain('edit_child_rules');
  expect(refusalOf('rule', shop, [web, root], may('edit_child_rules', 'w'))).toBeUndefined();
  expect(refusalOf('settings', web, [root], may('modify_children', '*'))).toBeUndefined();
});

test('the groups of the installation take one more', () => {
  const own = { id: 'p', name: 'PE Infrastructure' };

  expect(refusalOf('data', shop, [own, root], may('edit_config_data', '*'))).toContain('infrastructure:edit');
  expect(refusalOf('data', shop, [own, root], { isSuperuser: true, permissions: [] })).toBeUndefined();
});
