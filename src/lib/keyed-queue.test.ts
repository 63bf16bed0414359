import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('work on one key is done in order, and a failure does not hold up what follows', async () => {
  const queue = new KeyedQueue();
  const seen: string[] = [];
  const first = gate();

  const failing = queue.run(['a'], async () => {
    await first.opened;
    seen.push('first');
    throw new Error('broken');
  });
  const second = queue.run(['a', 'b'], async () => void seen.push('second'));
  const third = queue.run(['b'], async () => void seen.push('third'));
  first.open();

  await expect(failing).rejects.toThrow('broken');
  await Promise.all([second, third]);
  expect(seen).toEqual(['first', 'second', 'third']);
});

test('work on different keys does not wait', async () => {
  const queue = new KeyedQueue();
  const held = gate();
  const slow = queue.run(['a'], () => held.opened);

  const quick = await queue.run(['b'], async () => 'done');
  held.open();
  await slow;
  await queue.idle();

  expect(quick).toBe('done');
});
