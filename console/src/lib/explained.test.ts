import { expect, test } from 'vitest';
import { kindText, resultText, subjectOf } from './explained.ts';

const step = { kind: 'level', name: 'common', result: 'found', is_decisive: true, layer: 'module' } as const;

test('a name with colons may be a parameter of a class, everything else is a key', () => {
  expect(subjectOf(' ntp::servers ')).toEqual({ parameter: 'ntp::servers' });
  expect(subjectOf('domain')).toEqual({ lookup: 'domain' });
  expect(subjectOf('users.alice.uid')).toEqual({ lookup: 'users.alice.uid' });
});

test('steps name their place and their result', () => {
  expect(kindText(step)).toBe('Module data');
  expect(kindText({ ...step, kind: 'group', layer: 'data' })).toBe('Group data');
  expect(resultText({ ...step, result: 'no-file' })).toBe('no such file');
});
