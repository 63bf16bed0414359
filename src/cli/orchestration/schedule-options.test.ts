import { expect, test } from 'vitest';
import { readCommandLine } from '../own-options.ts';
import { scheduleOf, scheduleOptions } from './schedule-options.ts';

const scheduled = (...args: readonly string[]) =>
  scheduleOf(
    readCommandLine(args, { withValue: [...scheduleOptions], flags: [] }),
    Date.parse('2026-11-26T00:00:00Z'),
  );

test.each([
  [[], undefined],
  [['--at', '2026-12-01T04:00:00Z'], { scheduled_time: '2026-12-01T04:00:00Z' }],
  [
    ['--every', '6h'],
    {
      scheduled_time: '2026-11-26T06:00:00.000Z',
      schedule_options: { interval: { units: 'seconds', value: 21_600 } },
    },
  ],
  [
    ['--cron', '0 4 * * *', '--time-zone', 'Europe/Berlin'],
    { schedule_options: { cron: '0 4 * * *', time_zone: 'Europe/Berlin' } },
  ],
])('%j becomes a schedule', (args, expected) => {
  expect(scheduled(...args)).toEqual(expected);
});

test.each([
  [['--every', '6h', '--cron', '0 4 * * *'], 'give one of --every and --cron'],
  [['--every', 'often'], "--every is a duration like 90m, 6h or 1d, not 'often'"],
  [['--time-zone', 'UTC'], '--time-zone is for --cron'],
])('%j is a mistake', (args, message) => {
  expect(() => scheduled(...args)).toThrow(message);
});
