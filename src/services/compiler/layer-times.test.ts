import { expect, test } from 'vitest';
import { LayerTimes } from './layer-times.ts';

/** A clock that is set by hand. */
function measured() {
  let now = 0;
  const times = new LayerTimes(() => now);
  const wait = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { times, wait };
}

test('times are those of the layer itself, however deep calls are nested', () => {
  const { times, wait } = measured();

  times.measure(
    'template',
    () => 'L1',
    () => {
      wait(1);
      times.measure(
        'function',
        () => 'L2',
        () => wait(10),
      );
      wait(2);
    },
  );

  expect(times.take()).toEqual([
    { layer: 'L2', served: 'function', count: 1, selfMs: 10 },
    { layer: 'L1', served: 'template', count: 1, selfMs: 3 },
  ]);
  expect(times.take()).toEqual([]);
});

test('what another layer takes over is not counted, what fails is', () => {
  const { times, wait } = measured();

  times.measure(
    'template',
    () => undefined,
    () => wait(5),
  );
  expect(() =>
    times.measure(
      'function',
      () => 'L2',
      () => {
        wait(1);
        throw new Error('no');
      },
    ),
  ).toThrow('no');

  expect(times.take()).toEqual([{ layer: 'L2', served: 'function', count: 1, selfMs: 1 }]);
});
