import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { HeapGuard } from './heap-guard.ts';

it('tells when a thread holds more than it may', async () => {
  // 150 MiB, and no more: the engine must not end it first.
  const worker = new Worker(
    'const held = []; setInterval(() => held.length < 1600 && held.push(new Array(12_000).fill({})), 1);',
    { eval: true, resourceLimits: { maxOldGenerationSizeMb: 384 } },
  );
  let watch: HeapGuard | undefined;

  await new Promise<void>((resolve) => {
    watch = new HeapGuard(worker, 96, resolve);
  });

  watch?.stop();
  expect(await worker.terminate()).toBe(1);
});
