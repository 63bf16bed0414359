import { expect, test } from 'vitest';
import { BatchQueue } from './batch-queue.ts';

test('what comes while a batch is under way is done together, each caller with its own result', async () => {
  const batches: number[][] = [];
  const queue = new BatchQueue<number, number>(async (items) => {
    batches.push([...items]);
    await Promise.resolve();
    return items.map((item) => item * 10);
  });

  const results = await Promise.all([1, 2, 3].map((item) => queue.add(item)));
  const later = await queue.add(4);

  expect(results).toEqual([10, 20, 30]);
  expect(later).toBe(40);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('a batch that fails fails for its callers only', async () => {
  const queue = new BatchQueue<string, string>(async (items) => {
    if (items.includes('bad')) throw new Error('broken');
    return items;
  }, 1);

  const outcomes = await Promise.allSettled([queue.add('bad'), queue.add('good')]);

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
