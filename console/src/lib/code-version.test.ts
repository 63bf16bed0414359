import { expect, test } from 'vitest';
import { commitOf } from './code-version.ts';

test('of our code ids the commit is shown, other ids as they are', () => {
  const commit = 'fe4b6a4a460b743bbfb01a803b8a04dfd9cbab02';

  expect(commitOf(`urn:puppet:code-id:1:${commit};production`)).toBe('fe4b6a4a460b');
  expect(commitOf('v1.2.3')).toBe('v1.2.3');
});
