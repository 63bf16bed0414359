/** When something that is scheduled runs. Pure. */

import { Cron } from 'croner';

export type Schedule =
  | { readonly kind: 'once'; readonly at: number }
  | { readonly kind: 'interval'; readonly start: number; readonly seconds: number }
  | {
      readonly kind: 'cron';
      /** Minute, hour, day of the month, month, day of the week; or `@daily` and the like. */
      readonly pattern: string;
      /** IANA name: `Europe/Berlin`. */
      readonly timeZone: string;
      /** Nothing runs before. */
      readonly start?: number;
    };

/**
 * When a schedule runs next. A time of day that is skipped when daylight saving time begins is replaced by the moment of the change; a
 * time that occurs twice when it ends is used once. Hourly patterns run each hour.
 *
 * @param after - milliseconds since 1970; the next time is later
 * @returns `undefined` when it will not run again
 */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case 'once':
      return schedule.at > after ? schedule.at : undefined;
    case 'interval': {
      const { seconds, start } = schedule;
      const periodMs = seconds * 1000;
      return start > after ? start : start + (Math.floor((after - start) / periodMs) + 1) * periodMs;
    }
    case 'cron': {
      // The start itself counts.
      const from = Math.max(after, (schedule.start ?? after) - 1);
      return cronOf(schedule.pattern, schedule.timeZone).nextRun(new Date(from))?.getTime();
    }
    default:
      return schedule satisfies never;
  }
}

/** The next times, at most so many. */
export function nextTimes(schedule: Schedule, after: number, most: number): readonly number[] {
  const times: number[] = [];
  for (
    let at = nextTime(schedule, after);
    at !== undefined && times.length < most;
    at = nextTime(schedule, at)
  )
    times.push(at);
  return times;
}

/** @returns what is wrong with a pattern; `undefined` when it is valid */
export function patternMistake(pattern: string): string | undefined {
  // Croner would read it as a date.
  if (pattern.includes(':')) return 'a pattern has no colon';
  try {
    cronOf(pattern, 'UTC');
    return undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      return error.message.replace(/^CronPattern: /, '');
    throw error;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** For people: `0 4 * * * (Europe/Berlin)`. */
export function describeSchedule(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'once':
      return `at ${new Date(schedule.at).toISOString()}`;
    case 'interval':
      return `every ${schedule.seconds} s from ${new Date(schedule.start).toISOString()}`;
    case 'cron':
      return `${schedule.pattern} (${schedule.timeZone})`;
    default:
      return schedule satisfies never;
  }
}

/** Never started: it only computes times. */
function cronOf(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { timezone, mode: '5-part', paused: true });
}
