import { expect, onTestFinished, test, vi } from 'vitest';
import { ageText, clockTime, durationText, exactTime, isTimeZone } from './time.ts';

const now = new Date('2026-11-24T14:03:10Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 min ago'],
  [3599, '59 min ago'],
  [7200, '2 h ago'],
  [200_000, '2 d ago'],
  [-364 * 86_400, 'in 364 d'],
  [-1826 * 86_400, '2031-11-24'],
  [-3, 'just now'],
  [-30, 'in a moment'],
  [-120, 'in 2 min'],
])('what was %i seconds ago is said as %s', (seconds, said) => {
  expect(ageText(before(seconds), now)).toBe(said);
});

test('an exact time is in UTC, too, where the user has another zone', () => {
  const choose = (timeZone: string) =>
    vi.stubGlobal('document', { documentElement: { dataset: { timeZone } } });
  onTestFinished(() => void vi.unstubAllGlobals());
  choose('Asia/Tokyo');
  expect(exactTime(now)).toMatch(/11:03:10.* · 2026-11-24 14:03:10 UTC$/);
  choose('UTC');
  expect(exactTime(now)).toMatch(/^[^·]*UTC$/);
});

test.each([
  [0.004, '< 0.01 s'],
  [0.4211, '0.42 s'],
  [8.12, '8.1 s'],
  [185, '3 min 5 s'],
  [119.7, '2 min 0 s'],
])('%d seconds are %s', (seconds, said) => {
  expect(durationText(seconds)).toBe(said);
});

test('times are in the zone of the user', () => {
  const noon = new Date('2026-11-24T12:00:00Z');
  const ofBrowser = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hour12: false }).format(noon);
  const choose = (timeZone: string) =>
    vi.stubGlobal('document', { documentElement: { dataset: { timeZone } } });
  onTestFinished(() => void vi.unstubAllGlobals());

  choose('Asia/Tokyo');
  expect(clockTime(noon)).toBe('21:00:00');
  expect(exactTime(noon)).toContain('2026-11-24 12:00:00 UTC');
  choose('Nowhere/Never');
  expect(clockTime(noon)).toBe(ofBrowser);
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Nowhere/Never')]).toEqual([true, false]);
});
