import { expect, test } from 'vitest';
import { WorkBins } from './work-bins.ts';

const second = 1000;
const minute = 60 * second;

function bins() {
  return new WorkBins({ minutes: 5, startMs: 0 });
}

test('the rate is the median of complete minutes: a crowd does not count, load that lasts does', () => {
  const steady = bins();
  const crowd = bins();
  const lasting = bins();

  for (let at = 0; at < 10 * minute; at += second) {
    steady.add(at, 0.5);
    crowd.add(at, at >= 6 * minute && at < 8 * minute ? 40 : 0.5);
    lasting.add(at, at >= 6 * minute && at < 9 * minute ? 40 : 0.5);
  }

  expect(steady.rate(10 * minute)).toBe(0.5);
  expect(crowd.rate(10 * minute)).toBe(0.5);
  expect(lasting.rate(10 * minute)).toBe(40);
});

test('three minutes of uneven load count as their mean, a crowd of two minutes does not', () => {
  const uneven = new WorkBins({ minutes: 10, startMs: 0 });
  const crowd = new WorkBins({ minutes: 10, startMs: 0 });
  for (let at = 0; at < 9 * minute; at += 30 * second) {
    const isOdd = (at / (30 * second)) % 2 === 1;
    uneven.add(at, at < 6 * minute ? 3 : isOdd ? 20 : 40);
    crowd.add(at, at < 6.5 * minute || at >= 8.5 * minute ? 3 : isOdd ? 20 : 40);
  }

  expect(uneven.rate(9 * minute)).toBe(1);
  expect(crowd.rate(9 * minute)).toBe(0.1);
});

test('the first and the current minute do not count, and a gap discards earlier minutes', () => {
  const measured = bins();
  for (let at = 30 * second; at < 3 * minute; at += second) measured.add(at, 1);

  expect(measured.rate(45 * second)).toBe(0);
  expect(measured.rate(2.5 * minute)).toBe(1);
  expect(measured.rate(30 * minute)).toBe(0);
});

test('work that is reported late counts when it arrived, and is ignored when that is too long ago', () => {
  const measured = new WorkBins({ minutes: 1, startMs: 0 });
  measured.add(5 * minute, 0);
  measured.add(4 * minute, 60);
  measured.add(minute, 6000);

  expect(measured.rate(5 * minute + 1)).toBe(1);
  expect(measured.rate(6 * minute + 1)).toBe(0);
});
