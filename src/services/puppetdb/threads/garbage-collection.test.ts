import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { GarbageCollection } from './garbage-collection.ts';

test('what a piece of work has left is collected when there is much', async () => {
  // Garbage of earlier tests must not be collected during this test: the heap would shrink below its start.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const heap = new GarbageCollection();
  const left = new WeakRef({ text: 'garbage' });
  const held = Array.from({ length: 400_000 }, (_, number) => ({ number, text: `number ${number}` }));
  // References stay until the turn in which they were made is over.
  await setImmediate();

  heap.look();

  expect(left.deref()).toBeUndefined();
  expect(held).toHaveLength(400_000);
});

test('a thread that has nothing to do is content with less garbage', async () => {
  let collections = 0;
  let megabytes = 10;
  const heap = new GarbageCollection(
    20,
    () => void collections++,
    () => megabytes * 2 ** 20,
  );
  megabytes += 10;

  heap.look();
  const whileBusy = collections;
  await expect.poll(() => collections).toBe(1);

  expect(whileBusy).toBe(0);
});
