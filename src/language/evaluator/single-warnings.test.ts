import { expect, it } from 'vitest';
import { SingleWarnings } from './single-warnings.ts';

it('gives a warning once for its key, and no more than a hundred of a kind', () => {
  const warnings = new SingleWarnings();
  const keys = Array.from({ length: 120 }, (_, index) => `key ${index}`);

  expect(keys.filter((key) => warnings.take(key))).toHaveLength(100);
  expect(warnings.take('key 0')).toBe(false);
  expect(warnings.take('key 0', 'deprecation')).toBe(true);
  expect(warnings.take('key 0', 'deprecation')).toBe(false);
});
