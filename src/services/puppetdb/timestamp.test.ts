import { expect, test } from 'vitest';
import { readTimestamp } from './timestamp.ts';

test.each([
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T12:00:00.5+02:00', '2026-11-21T10:00:00.500Z'],
  ['2026-11-21T10:00:00.123456789-0130', '2026-11-21T11:30:00.123Z'],
  ['2026-11-21 10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
])('%s is %s', (text, time) => {
  expect(readTimestamp(text)).toBe(time);
});

test.each(['', 'yesterday', '2026-13-01', '2026-11-21T10:00:00 and more', '21.11.2026'])(
  '%s is no time',
  (text) => {
    expect(readTimestamp(text)).toBeUndefined();
  },
);
