import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HeapWatch } from './heap-watch.ts';

test('what a piece of work has left is collected when there is much', async () => {
  const heap = new HeapWatch();
  const left = new WeakRef({ text: 'garbage' });
  const held = Array.from({ length: 400_000 }, (_, number) => ({ number, text: `number ${number}` }));
  // References stay until the turn in which they were made is over.
  await setImmediate();

  heap.look();

  expect(left.deref()).toBeUndefined();
  expect(held).toHaveLength(400_000);
});
