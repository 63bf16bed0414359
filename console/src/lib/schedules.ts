/** When something runs: at once, at a time, again and again. */

import type { ScheduledJobAnswer } from '../../../src/services/orchestrator/scheduling/answers/wire.ts';

/** As the orchestrator takes it. */
export type ScheduleWire = Partial<Pick<ScheduledJobAnswer, 'scheduled_time' | 'schedule_options'>>;

export const scheduleKinds = ['once', 'interval', 'cron'] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

export const intervalUnits = { minutes: 60, hours: 3600, days: 86_400 } as const;
export type IntervalUnit = keyof typeof intervalUnits;

/** A schedule as the values of the form's fields. */
export interface ScheduleDraft {
  readonly kind: ScheduleKind;
  /** Of a field for a local time: `2026-12-01T04:00`, in the zone of the browser. */
  readonly at: string;
  readonly every: string;
  readonly unit: IntervalUnit;
  readonly cron: string;
  readonly timeZone: string;
}

/** The initial values of the fields. @param timeZone - of the browser */
export function newSchedule(now: Date, timeZone: string): ScheduleDraft {
  const inAnHour = new Date(now.getTime() + 3_600_000);
  return { kind: 'cron', at: localTime(inAnHour), every: '6', unit: 'hours', cron: '0 2 * * SUN', timeZone };
}

/** @returns `undefined` where a field is not filled in, or not with a number or a time */
export function scheduleOf({
  at,
  cron,
  every,
  kind,
  timeZone,
  unit,
}: ScheduleDraft): ScheduleWire | undefined {
  if (kind === 'cron') {
    if (cron.trim() === '') return undefined;
    const zone = timeZone.trim() === '' ? {} : { time_zone: timeZone.trim() };
    return { schedule_options: { cron: cron.trim(), ...zone } };
  }
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return undefined;
  if (kind === 'once') return { scheduled_time: time.toISOString() };
  const value = Number(every) * intervalUnits[unit];
  if (!Number.isInteger(value) || value <= 0) return undefined;
  return { scheduled_time: time.toISOString(), schedule_options: { interval: { units: 'seconds', value } } };
}

/** The fields for an existing schedule. */
export function draftOf(wire: ScheduleWire, fallback: ScheduleDraft): ScheduleDraft {
  const { schedule_options: { cron, interval, time_zone: zone } = {}, scheduled_time: time } = wire;
  if (cron !== undefined) return { ...fallback, kind: 'cron', cron, timeZone: zone ?? 'UTC' };
  const at = time === undefined ? fallback.at : localTime(new Date(time));
  if (interval === undefined) return { ...fallback, kind: 'once', at };
  const [every, unit] = amountOf(interval.value);
  return { ...fallback, kind: 'interval', at, every: String(every), unit };
}

/** For people: `every 6 hours`, `0 2 * * SUN, Europe/Berlin`, `once`. */
export function scheduleText({
  schedule_options: { cron, interval, time_zone: zone } = {},
}: ScheduleWire): string {
  if (cron !== undefined) return `${cron}, ${zone ?? 'UTC'}`;
  if (interval === undefined) return 'once';
  const [amount, unit] = amountOf(interval.value);
  return amount === 1 ? `every ${unit.slice(0, -1)}` : `every ${amount} ${unit}`;
}

/** In the largest unit that needs no fraction. */
function amountOf(seconds: number): readonly [amount: number, unit: IntervalUnit] {
  for (const unit of ['days', 'hours'] as const)
    if (seconds % intervalUnits[unit] === 0) return [seconds / intervalUnits[unit], unit];
  return [seconds / intervalUnits.minutes, 'minutes'];
}

/** As fields for a local time have it, in the zone of the browser. */
function localTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
