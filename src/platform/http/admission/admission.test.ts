import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../lib/service-error.ts';
import { Admission, type AdmissionOptions } from './admission.ts';

const serviceMs = 100;
const places = 4;
const maxWaitMs = 2000;

function admission(clock: { readonly ms: number }, more: Partial<AdmissionOptions> = {}): Admission {
  return new Admission({
    places,
    serviceMs: () => serviceMs,
    maxWaitMs,
    maxWaiting: 500,
    maxRetryAfterSeconds: 1800,
    message: 'busy',
    nowMs: () => clock.ms,
    random: () => 0.5,
    ...more,
  });
}

/** @returns the seconds after which the client is to come back; 0 when it was let in */
function ask(gate: Admission, key: string): number {
  try {
    gate.enter(key);
    return 0;
  } catch (error) {
    if (error instanceof ServiceError) return Number(error.details['retryAfterSeconds']);
    throw error;
  }
}

describe('Admission', () => {
  test('lets everybody in while there are places', () => {
    const gate = admission({ ms: 0 });

    expect(Array.from({ length: places }, (_, index) => ask(gate, `a${index}`))).toEqual([0, 0, 0, 0]);
  });

  test('sends away who would have to wait for longer than half of the limit', () => {
    const gate = admission({ ms: 0 });

    const answers = Array.from({ length: 60 }, (_, index) => ask(gate, `a${index}`));

    // 4 at work, and 40 that wait for 25 ms each.
    expect(answers.filter((seconds) => seconds === 0)).toHaveLength(44);
    expect(answers.slice(44).every((seconds) => Number.isInteger(seconds) && seconds >= 1)).toBe(true);
  });

  test('spreads those who were sent away at the speed of the work', () => {
    const gate = admission({ ms: 0 });

    const seconds = Array.from({ length: 444 }, (_, index) => ask(gate, `a${index}`)).slice(44);

    // 40 in a second, once those who wait have been served.
    expect(Math.max(...seconds)).toBe(11);
    expect(seconds.filter((each) => each === 5)).toHaveLength(40);
  });

  test('takes who comes as told before who comes by chance', () => {
    const clock = { ms: 0 };
    const gate = admission(clock);
    for (let index = 0; index < 44; index += 1) ask(gate, `a${index}`);
    const seconds = ask(gate, 'late');

    clock.ms = seconds * 1000;

    expect(ask(gate, 'other')).toBeGreaterThan(0);
    expect(ask(gate, 'late')).toBe(0);
  });

  test('takes a client that has waited for long at other servers before one that comes by chance', () => {
    const clock = { ms: 0 };
    const gate = admission(clock, { hasWaitedLong: (key) => key.startsWith('old') });
    for (let index = 0; index < 44; index += 1) ask(gate, `a${index}`);

    const chance = ask(gate, 'new');
    const waited = Array.from({ length: 60 }, (_, index) => ask(gate, `old${index}`));

    expect(chance).toBeGreaterThan(0);
    expect(waited.filter((seconds) => seconds === 0)).toHaveLength(40);
    // The others come again at once, and not at the end of the line.
    expect(Math.max(...waited)).toBeLessThanOrEqual(maxWaitMs / 1000);
  });

  test('forgets turns that were not kept, also when the first of them was', () => {
    const clock = { ms: 0 };
    const gate = admission(clock);
    for (let index = 0; index < 444; index += 1) ask(gate, `a${index}`);
    clock.ms = 5000;
    ask(gate, 'a44');
    clock.ms = 200_000;

    const fresh = admission(clock);
    for (let index = 0; index < 44; index += 1) ask(fresh, `a${index}`);
    // The line is empty: the next one gets its first turn.
    expect(ask(gate, 'later')).toBe(ask(fresh, 'later'));
  });

  test('makes the line no longer for those who get no turn in it', () => {
    const clock = { ms: 0 };
    const gate = admission(clock, { maxRetryAfterSeconds: 10 });
    for (let index = 0; index < 2000; index += 1) ask(gate, `a${index}`);

    clock.ms = 5000;

    // The line ends after 10 seconds, whatever was asked of it.
    expect(ask(gate, 'next')).toBe(6);
    clock.ms = 7000;
    expect(ask(gate, 'next')).toBe(4);
  });

  test('keeps the turn of who comes too early', () => {
    const clock = { ms: 0 };
    const gate = admission(clock);
    for (let index = 0; index < 444; index += 1) ask(gate, `a${index}`);

    clock.ms = 1000;

    expect(ask(gate, 'a443')).toBe(10);
  });

  test('does not hold turns for clients that went elsewhere', () => {
    const clock = { ms: 0 };
    const gate = admission(clock);
    const leaving = Array.from({ length: 44 }, (_, index) => gate.enter(`a${index}`));
    for (let index = 0; index < 400; index += 1) ask(gate, `b${index}`);

    for (const leave of leaving) leave();

    expect(ask(gate, 'new')).toBe(0);
  });

  test('sends no client away for longer than allowed, and spreads those as well', () => {
    const gate = admission({ ms: 0 }, { maxRetryAfterSeconds: 5, random: Math.random });

    const seconds = Array.from({ length: 2000 }, (_, index) => ask(gate, `a${index}`));

    expect(Math.max(...seconds)).toBe(5);
    expect(new Set(seconds.slice(1000))).toEqual(new Set([3, 4, 5]));
  });

  test('serves every client in time when three times as many come as it can serve', () => {
    const result = simulate({ clients: 3000, arrivalsPerMs: (3 * places) / serviceMs });

    expect(result.served).toBe(3000);
    expect(result.longestWaitMs).toBeLessThanOrEqual(maxWaitMs + serviceMs);
    // 75 s of work, and the way back of those who were sent away.
    expect(result.endMs).toBeLessThan(90_000);
    expect(result.mostAttempts).toBeLessThanOrEqual(4);
  });
});

interface Arrival {
  readonly key: string;
  readonly attempts: number;
}

/** Clients that obey, and places that take `serviceMs` for each of them. */
function simulate({ clients, arrivalsPerMs }: { clients: number; arrivalsPerMs: number }) {
  const clock = { ms: 0 };
  const gate = admission(clock, { random: Math.random });
  const coming = new Map<number, Arrival[]>();
  const leaving = new Map<number, (() => void)[]>();
  const result = { served: 0, longestWaitMs: 0, endMs: 0, mostAttempts: 0 };
  const free = Array.from({ length: places }, () => 0);
  for (let index = 0; index < clients; index += 1)
    at(coming, Math.round(index / arrivalsPerMs)).push({ key: `agent${index}`, attempts: 1 });
  for (; result.served < clients && clock.ms < 600_000; clock.ms += 1) {
    for (const leave of leaving.get(clock.ms) ?? []) leave();
    for (const { attempts, key } of coming.get(clock.ms) ?? []) {
      const leave = enter(gate, key);
      if (typeof leave === 'number') {
        at(coming, clock.ms + leave * 1000 + 20).push({ key, attempts: attempts + 1 });
        continue;
      }
      const place = free.indexOf(Math.min(...free));
      const beganMs = Math.max(clock.ms, free[place] ?? 0);
      free[place] = beganMs + serviceMs;
      at(leaving, beganMs + serviceMs).push(leave);
      result.served += 1;
      result.longestWaitMs = Math.max(result.longestWaitMs, beganMs - clock.ms);
      result.mostAttempts = Math.max(result.mostAttempts, attempts);
      result.endMs = beganMs + serviceMs;
    }
  }
  return result;
}

function at<T>(timetable: Map<number, T[]>, ms: number): T[] {
  const entries = timetable.get(ms) ?? [];
  timetable.set(ms, entries);
  return entries;
}

function enter(gate: Admission, key: string): (() => void) | number {
  try {
    return gate.enter(key);
  } catch (error) {
    return Number((error as ServiceError).details['retryAfterSeconds']);
  }
}
