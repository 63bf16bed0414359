/** Times of schedules, across changes to and from daylight saving time. */

import { expect, test } from 'vitest';
import { randomOf } from '../simulated-fleet.testing.ts';
import { isTimeZone, nextTime, patternMistake, type Schedule } from './schedule.ts';

const at = (text: string) => Date.parse(text);
const minuteMs = 60_000;
const dayMs = 86_400_000;

function times(schedule: Schedule, from: string, count: number): readonly string[] {
  const found: string[] = [];
  let after = at(from);
  while (found.length < count) {
    const next = nextTime(schedule, after);
    if (next === undefined) break;
    found.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
    after = next;
  }
  return found;
}

const cron = (pattern: string, timeZone = 'UTC') => ({ kind: 'cron', pattern, timeZone }) as const;

test('what runs once does not run again', () => {
  const once = { kind: 'once', at: at('2027-01-01T00:00Z') } as const;

  expect(times(once, '2026-12-31T23:59Z', 5)).toEqual(['2027-01-01T00:00Z']);
  expect(nextTime(once, once.at)).toBeUndefined();
});

test('an interval counts from its start, whatever was missed', () => {
  const daily = { kind: 'interval', start: at('2026-01-01T06:00Z'), seconds: 86_400 } as const;

  expect(times(daily, '2025-06-01T00:00Z', 2)).toEqual(['2026-01-01T06:00Z', '2026-01-02T06:00Z']);
  expect(times(daily, '2026-03-09T06:00Z', 1)).toEqual(['2026-03-10T06:00Z']);
});

test.each([
  // The hour from 2 to 3 is left out on 29 March, and comes twice on 25 October.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
  ['0 4 * * *', 'Europe/Berlin', '2026-03-28T01:00Z', ['2026-03-28T03:00Z', '2026-03-29T02:00Z']],
  // Half an hour is left out on 4 October.
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T18:00Z', ['2026-10-03T15:30Z', '2026-10-04T15:15Z']],
  // Midnight itself is left out on 6 September.
  ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', ['2026-09-06T04:00Z', '2026-09-07T03:00Z']],
  ['0 9 * * MON-FRI', 'America/New_York', '2026-03-06T15:00Z', ['2026-03-09T13:00Z', '2026-03-10T13:00Z']],
  ['0 4 31 * *', 'UTC', '2026-01-31T04:00Z', ['2026-03-31T04:00Z', '2026-05-31T04:00Z']],
  ['@daily', 'Asia/Kolkata', '2026-06-01T00:00Z', ['2026-06-01T18:30Z', '2026-06-02T18:30Z']],
])('%s in %s runs when clocks there say so', (pattern, timeZone, from, expected) => {
  expect(times(cron(pattern, timeZone), from, expected.length)).toEqual(expected);
});

test('every half hour goes on through a change of the clocks', () => {
  const found = times(cron('*/30 * * * *', 'Europe/Berlin'), '2026-10-24T23:30Z', 6).map(at);

  expect(found.map((time) => time - (found[0] ?? 0))).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => n * 30 * minuteMs),
  );
});

test('nothing runs before the start, which itself counts', () => {
  const schedule = { ...cron('0 4 * * *'), start: at('2027-05-05T04:00Z') };

  expect(times(schedule, '2026-01-01T00:00Z', 1)).toEqual(['2027-05-05T04:00Z']);
});

test('a day that never comes has no next time', () => {
  expect(nextTime(cron('0 0 30 2 *'), at('2026-01-01T00:00Z'))).toBeUndefined();
});

test.each([
  '61 * * * *',
  '* * * *',
  'a b c d e',
  '0 0 * * 8',
  '* * * * * *',
  '',
  '0 4 * : MON',
  '2027-01-01T00:00:00',
])('%j is not a pattern', (pattern) => {
  expect(patternMistake(pattern)).toBeTypeOf('string');
});

test('time zones are those of the IANA', () => {
  expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Base'), isTimeZone('')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const zones = [
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Antarctica/Troll',
];

/** @returns what gives the date and the minute of the day that clocks show there */
function clockIn(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time: number) => {
    const parts = format.formatToParts(time);
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
    const day = `${part('year')}-${part('month')}-${part('day')}`;
    return { day, minutes: Number(part('hour')) * 60 + Number(part('minute')) };
  };
}

test.each(zones)(
  'a time of day comes once a day in %s, all year, and is late only where clocks skip it',
  (timeZone) => {
    const random = randomOf(zones.indexOf(timeZone) + 1);
    const clockOf = clockIn(timeZone);
    for (let round = 0; round < 2; round += 1) {
      // Changes happen at night.
      const [hour, minute] = [Math.floor(random() * 5), Math.floor(random() * 60)];
      const schedule = cron(`${minute} ${hour} * * *`, timeZone);
      const seen: string[] = [];
      let after = at('2026-01-01T12:00Z');
      const end = after + 366 * dayMs;
      for (;;) {
        const next = nextTime(schedule, after);
        if (next === undefined || next > end) break;
        const { day, minutes } = clockOf(next);
        const before = clockOf(next - minuteMs);
        const wanted = hour * 60 + minute;
        const isSkipped = before.day === day ? before.minutes < wanted && minutes > wanted : minutes > wanted;
        if (minutes !== wanted) expect(isSkipped, `${timeZone} ${new Date(next).toISOString()}`).toBe(true);
        seen.push(day);
        after = next;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(365);
    }
  },
);

test('times grow, and are whole minutes that come after', () => {
  const random = randomOf(7);
  const pick = (highest: number) => String(Math.floor(random() * (highest + 1)));
  for (let round = 0; round < 200; round += 1) {
    const fields = [
      pick(59),
      random() < 0.5 ? '*' : pick(23),
      random() < 0.5 ? '*' : pick(27).replace(/^0$/, '28'),
      '*',
      '*',
    ];
    if (random() < 0.3) fields[0] = `*/${1 + Math.floor(random() * 30)}`;
    const schedule = cron(fields.join(' '), zones[round % zones.length]);
    const after = at('2026-01-01T00:00Z') + Math.floor(random() * 365 * dayMs);
    const next = nextTime(schedule, after) ?? 0;

    expect(next).toBeGreaterThan(after);
    expect(next % minuteMs).toBe(0);
    // Asked from any moment before, the answer is the same.
    expect(nextTime(schedule, next - 1)).toBe(next);
  }
});
