import { expect, test } from 'vitest';
import { demandOf } from './demand.ts';

const noPlan = { workers: 0, error: undefined, isTrusted: false, recentPeak: 0 };
const options = { target: 0.6, herdToleranceSeconds: 600 };
const server = { workers: 2, work: 1.2, eventLoop: 0.1 };

test('as many workers as needed use the target', () => {
  expect(demandOf([server, server], 0, noPlan, options)).toMatchObject({
    work: 2.4,
    backlog: 0,
    capacity: 4,
    need: 4,
    demandWorkers: 2.4,
    capacityUsed: 0.6,
  });
});

test('the backlog is to be served within the tolerance, beside new requests', () => {
  const { backlog, need } = demandOf([server], 1080, noPlan, options);

  expect(backlog).toBe(2);
  expect(need).toBe(2 + 2);
});

test('a busy main thread counts as much as busy workers', () => {
  expect(demandOf([{ workers: 4, work: 0.1, eventLoop: 0.8 }], 0, noPlan, options).work).toBe(4);
});

test('a plan adds servers when it is trusted; a crowd that came only keeps them', () => {
  const planned = { workers: 8.5, error: 0.1, isTrusted: true, recentPeak: 0 };
  const recent = { workers: 8.5, error: 0.5, isTrusted: false, recentPeak: 8.5 };

  expect(demandOf([server], 0, planned, options).need).toBe(10);
  expect(demandOf([server], 0, recent, options).need).toBe(2);
  expect(demandOf([server, server, server, server, server, server], 0, recent, options).need).toBe(12);
  const idle = { ...server, work: 0 };
  expect(
    demandOf(
      Array.from({ length: 6 }, () => idle),
      0,
      recent,
      options,
    ).need,
  ).toBe(10);
});

test('without a server, everything is missing', () => {
  expect(demandOf([], 540, noPlan, options)).toMatchObject({ capacity: 0, need: 1, capacityUsed: 0.6 });
});
