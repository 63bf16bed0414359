import { expect, test } from 'vitest';
import { questionOf } from './queries.ts';
import { activitySearch } from './search.ts';

test('services and times that exist make part of an address, others do not', () => {
  expect(activitySearch({ service: 'rbac', since: '1d', author: 'ann', q: '' })).toEqual({
    service: 'rbac',
    since: '1d',
    author: 'ann',
    object: undefined,
    q: undefined,
  });
  expect(activitySearch({ service: 'toString', since: '2d' })).toMatchObject({
    service: undefined,
    since: undefined,
  });
});

test('an address is a question to the record', () => {
  const now = new Date('2026-01-02T12:00:30Z');

  expect(questionOf({ object: 'node_groups:a:b', since: '1d' }, now)).toMatchObject({
    object_type: 'node_groups',
    object_id: 'a:b',
    from: '2026-01-01T12:00:00.000Z',
  });
  expect(questionOf({ object: 'users' }, now)).toMatchObject({ object_type: 'users', object_id: undefined });
});
