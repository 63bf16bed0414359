import { expect, test } from 'vitest';
import { draftOf, newSchedule, scheduleOf, scheduleText } from './schedules.ts';

const fallback = newSchedule(new Date('2026-11-26T10:00:00Z'), 'Europe/Berlin');

test.each([
  [{ schedule_options: { cron: '0 2 * * SUN', time_zone: 'Europe/Berlin' } }, '0 2 * * SUN, Europe/Berlin'],
  [{ schedule_options: { cron: '@daily' } }, '@daily, UTC'],
  [{ schedule_options: { interval: { units: 'seconds', value: 21_600 } } }, 'every 6 hours'],
  [{ schedule_options: { interval: { units: 'seconds', value: 86_400 } } }, 'every day'],
  [{ schedule_options: { interval: { units: 'seconds', value: 5400 } } }, 'every 90 minutes'],
  [{ scheduled_time: '2026-12-01T04:00:00Z' }, 'once'],
] as const)('the schedule %j is said as %j', (wire, text) => {
  expect(scheduleText(wire)).toBe(text);
});

test.each([
  { schedule_options: { cron: '0 2 * * SUN', time_zone: 'Europe/Berlin' } },
  {
    scheduled_time: '2026-12-01T04:00:00.000Z',
    schedule_options: { interval: { units: 'seconds', value: 5400 } },
  },
  { scheduled_time: '2026-12-01T04:00:00.000Z' },
] as const)('the fields of %j stand for the same schedule', (wire) => {
  expect(scheduleOf(draftOf(wire, fallback))).toEqual(wire);
});

test.each([
  { kind: 'cron', cron: ' ' },
  { kind: 'once', at: '' },
  { kind: 'interval', every: 'often' },
  { kind: 'interval', every: '0' },
] as const)('the fields %j stand for no schedule', (fields) => {
  expect(scheduleOf({ ...fallback, ...fields })).toBeUndefined();
});
