import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

test('no more than so many work at a time, the others have their turn in order', async () => {
  const semaphore = new Semaphore(2);
  const order: number[] = [];
  let [running, most] = [0, 0];

  await Promise.all(
    [0, 1, 2, 3, 4].map((number) =>
      semaphore.run(async () => {
        most = Math.max(most, ++running);
        order.push(number);
        await Promise.resolve();
        running--;
      }),
    ),
  );

  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4]]);
});

test('work that fails gives its place back', async () => {
  const semaphore = new Semaphore(1);

  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await semaphore.run(() => Promise.resolve('yes'))).toBe('yes');
});
