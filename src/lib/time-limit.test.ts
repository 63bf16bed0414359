import { expect, test } from 'vitest';
import { TimeLimit } from './time-limit.ts';

const late = () => new Error('late');

test('a regular expression that does not come to an end is given up', () => {
  const text = `${'a'.repeat(60)}!`;

  expect(() => new TimeLimit(20).run(() => /^(a|a)*$/.test(text), late)).toThrow(late());
});

test('what work gives and throws is handed on', () => {
  const limit = new TimeLimit(60_000);

  expect(limit.run(() => ({ given: 1 }), late)).toEqual({ given: 1 });
  expect(() =>
    limit.run(() => {
      throw new TypeError('its own');
    }, late),
  ).toThrow(new TypeError('its own'));
  expect(limit.run(() => 2, late)).toBe(2);
});
