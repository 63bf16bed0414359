import { expect, test } from 'vitest';
import { understandsRetryAfter } from './understands-retry-after.ts';

test.each([
  ['3.8.7', false],
  ['5.3.0', false],
  ['5.3.1', true],
  ['6.13.0', true],
  ['6.14.0', false],
  ['7.23.0', false],
  ['7.25.0', false],
  ['7.26.0', true],
  ['7.34.0', true],
  ['8.0.0', false],
  ['8.1.0', false],
  ['8.2.0', true],
  ['8.10.0', true],
  ['10.0.0', true],
  ['8.11.0-rc1', true],
  ['nonsense', false],
  [undefined, false],
])('%s', (version, expected) => {
  expect(understandsRetryAfter(version)).toBe(expected);
});
