import { expect, test } from 'vitest';
import { commitOf, placeOf } from './code-version.ts';

test('of our code ids the commit is shown, other ids as they are', () => {
  const commit = 'fe4b6a4a460b743bbfb01a803b8a04dfd9cbab02';

  expect(commitOf(`urn:puppet:code-id:1:${commit};production`)).toBe('fe4b6a4a460b');
  expect(commitOf('v1.2.3')).toBe('v1.2.3');
});

test('a code id names a commit and its environment', () => {
  const commit = 'fe4b6a4a'.repeat(5);

  expect(placeOf(`urn:puppet:code-id:1:${commit};production`)).toEqual({ commit, environment: 'production' });
  expect(placeOf('v1.2.3')).toBeUndefined();
});
