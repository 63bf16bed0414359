import { expect, test } from 'vitest';
import { eventConditions, searchCondition, timesOf } from './event-filter.ts';

const now = new Date('2026-11-24T14:03:10Z');

test('times until now begin at a whole minute; other times are as they are', () => {
  expect(timesOf({ from: '1h' }, now)).toEqual({ from: '2026-11-24T13:03:00.000Z' });
  expect(timesOf({ from: 'last-run' }, now)).toEqual({ latest: true });
  const night = { from: '2026-11-23T22:00:00.000Z', to: '2026-11-24T06:00:00.000Z' };
  expect(timesOf(night, now)).toEqual(night);
});

test('no subject can become a part of the query', () => {
  expect(eventConditions({ latest: true, status: 'failed' }, 'message', 'a" or certname ~ "')).toEqual([
    'latest_report? = true',
    'status = "failure"',
    'message = "a\\" or certname ~ \\""',
  ]);
});

test('a resource has a type and a title, which may have brackets and lines', () => {
  expect(eventConditions({}, 'resource', 'File[/a[1]\nb]')).toEqual([
    'resource_type = "File"',
    'resource_title = "/a[1]\nb"',
  ]);
  expect(eventConditions({}, 'class', null)).toEqual(['containing_class is null']);
});

test('a search finds texts, not patterns', () => {
  expect(searchCondition('resource', 'a.b')).toEqual([String.raw`resource_title ~ "a\\.b"`]);
  expect(searchCondition('class', '')).toEqual([]);
});
