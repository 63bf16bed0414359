import { expect, test } from 'vitest';
import { bound, fragment, joined } from './fragment.ts';

test('fragments of any number of values are put together', () => {
  const list = joined(
    Array.from({ length: 200_000 }, (_, index) => bound(index)),
    ', ',
  );

  const whole = fragment`select ${list} as numbers`;

  expect(whole.values).toHaveLength(200_000);
  expect(whole.parts).toHaveLength(200_001);
  expect([whole.parts[0], whole.parts[1], whole.parts.at(-1)]).toEqual(['select ', ', ', ' as numbers']);
});
