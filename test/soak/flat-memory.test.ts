import { expect, test } from 'vitest';
import { judgeMemory } from './flat-memory.ts';

const minute = 60_000;

function lifeOf(minutes: number, mebibytesAt: (minute: number) => number) {
  const samples = Array.from({ length: minutes + 1 }, (_, at) => ({
    at: at * minute,
    mebibytes: mebibytesAt(at),
  }));
  return { host: 'compile1.site.test', pid: 1, samples };
}

test('a server that grows all the time is named', () => {
  const { faults, lines } = judgeMemory([lifeOf(20, (at) => 200 + 10 * at)]);
  expect(faults).toEqual(['compile1.site.test holds 370 MiB at the end, 310 before']);
  expect(lines).toEqual(['memory of compile1.site.test over 20.0 minutes: 260 MiB, 310 MiB, 370 MiB']);
});

test('a heap may grow to its usual size at first', () => {
  expect(judgeMemory([lifeOf(20, (at) => Math.min(300, 150 + 50 * at))]).faults).toEqual([]);
});

test('short lives say nothing', () => {
  expect(judgeMemory([lifeOf(5, (at) => 100 * at)])).toEqual({ lines: [], faults: [] });
});
