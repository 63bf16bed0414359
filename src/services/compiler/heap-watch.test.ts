import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { hardLimitMiB } from './heap-limit.ts';
import { HeapWatch } from './heap-watch.ts';

it('tells when a thread holds more than it may', async () => {
  const worker = new Worker(
    'const held = []; setInterval(() => held.push(new Array(100_000).fill({})), 1);',
    {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: hardLimitMiB(64) },
    },
  );
  let watch: HeapWatch | undefined;

  await new Promise<void>((resolve) => {
    watch = new HeapWatch(worker, 64, resolve);
  });

  watch?.stop();
  expect(await worker.terminate()).toBe(1);
});
