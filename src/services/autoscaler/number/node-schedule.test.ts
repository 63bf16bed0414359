import { expect, test } from 'vitest';
import { NodeSchedule } from './node-schedule.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Runs at these minutes, of 6 worker-seconds each. */
function scheduleOf(runs: Readonly<Record<string, readonly number[]>>): NodeSchedule {
  const schedule = new NodeSchedule();
  for (const [node, minutes] of Object.entries(runs))
    for (const at of minutes) schedule.note(node, at * minute, 6);
  return schedule;
}

/** Worker-seconds in each minute of an hour. */
function due(schedule: NodeSchedule, nowMinute: number): number[] {
  return Array.from(
    schedule.forecast(nowMinute * minute, nowMinute * minute, 60, minute),
    (seconds) => Math.round(seconds * 1000) / 1000,
  );
}

test('a node comes again at its own time', () => {
  const minutes = due(scheduleOf({ a: [3, 33, 63, 93, 123] }), 125);

  expect(minutes.flatMap((seconds, at) => (seconds > 0 ? [[125 + at, seconds]] : []))).toEqual([
    [153, 6],
    [183, 6],
  ]);
});

test('a run by hand, a missed run and one that came late do not move the time', () => {
  const runs = {
    hand: [3, 33, 63, 70, 93, 123],
    missed: [3, 33, 63, 123],
    late: [3, 33, 63, 94, 123],
  };

  for (const [node, minutes] of Object.entries(runs))
    expect(due(scheduleOf({ [node]: minutes }), 125)[153 - 125]).toBe(6);
});

test('after a power failure a node is expected by its new time at once', () => {
  const minutes = due(scheduleOf({ a: [3, 33, 63, 93, 115] }), 120);

  expect(minutes[145 - 120]).toBe(6);
  expect(minutes[153 - 120]).toBe(0);
});

test('nodes without a steady period, and new ones, are spread evenly', () => {
  const minutes = due(scheduleOf({ odd: [3, 20, 70, 84, 130], once: [131] }), 132);

  expect(new Set(minutes)).toEqual(new Set([(2 * 6) / 30]));
});

test('a node that has stopped is not expected any more, and is forgotten after a day', () => {
  const schedule = scheduleOf({ gone: [3, 33, 63, 93], there: [24 * 60 + 90] });

  expect(due(scheduleOf({ gone: [3, 33, 63, 93] }), 93 + 76)).toEqual(Array.from({ length: 60 }, () => 0));
  schedule.prune(24 * hour + 94 * minute);
  expect(schedule.size).toBe(1);
  expect(due(schedule, 24 * 60 + 91)[0]).toBe(0.2);
});

test('an unknown node is assumed to cost the average, a known one its last cost', () => {
  const schedule = new NodeSchedule();
  for (let node = 0; node < 1000; node++) schedule.note(`n${node}`, 0, 2);
  schedule.note('large', 0, 50);

  expect(schedule.costOf('large')).toBe(50);
  expect(schedule.costOf('new')).toBeCloseTo(2.5, 1);
});

test('more nodes than were made room for keep their own times', () => {
  const schedule = new NodeSchedule();
  for (let node = 0; node < 2000; node++)
    for (const round of [0, 1, 2]) schedule.note(`n${node}`, round * 30 * minute + node * 900, 1);

  const minutes = due(schedule, 90);

  expect(minutes.slice(0, 30).every((seconds) => seconds > 65 && seconds < 68)).toBe(true);
});
