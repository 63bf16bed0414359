import { expect, test } from 'vitest';
import { TimeLimit } from './time-limit.ts';

const late = () => new Error('late');

test('a regular expression that does not come to an end is given up', () => {
  const text = `${'a'.repeat(60)}!`;

  expect(() => new TimeLimit(20).run(() => /^(a|a)*$/.test(text), late)).toThrow(late());
});

test('work that stood still, because the machine did other things, begins anew', () => {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  let times = 0;

  const given = new TimeLimit(50).run(() => {
    times += 1;
    // The first time it gets no processor for longer than the limit.
    if (times === 1) Atomics.wait(sleeping, 0, 0, 500);
    return 'given';
  }, late);

  expect(given).toBe('given');
  expect(times).toBe(2);
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
