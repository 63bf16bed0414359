import { expect, test } from 'vitest';
import { wireState } from './wire-states.ts';

test('a recorded role is one that the API takes', () => {
  const permissions = [{ objectType: 'nodes', action: 'view_data', instance: '*' }];

  expect(wireState('role', { id: 7, name: 'Web', description: '', permissions })).toEqual({
    display_name: 'Web',
    description: '',
    permissions: [{ object_type: 'nodes', action: 'view_data', instance: '*' }],
  });
  expect(wireState('user', { login: 'ann' })).toEqual({ login: 'ann' });
  expect(wireState('group', null)).toEqual({});
});
