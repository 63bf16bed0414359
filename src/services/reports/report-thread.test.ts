import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { ReportThread } from './report-thread.ts';

const megabyte = 1024 * 1024;
const busy = new ServiceError('unavailable', 'Too many large reports are waiting', {
  details: { retryAfterSeconds: 30 },
});

/** A thread that answers when it is told to. */
function thread() {
  const worker = Object.assign(new EventEmitter(), {
    ref: () => undefined,
    unref: () => undefined,
    postMessage: () => undefined,
    terminate: () => Promise.resolve(0),
  });
  const reader = new ReportThread(() => worker as unknown as Worker);
  const read = (certname: string, megabytes: number) =>
    reader.read(new Uint8Array(megabytes * megabyte), 'json', certname);
  return { read, answer: () => worker.emit('message', { head: {}, made: {} }), stop: () => reader.stop() };
}

test('of one node two large reports wait at most', async () => {
  const { answer, read, stop } = thread();

  const first = read('a', 1);
  const second = read('a', 1);
  await expect(read('a', 1)).rejects.toThrow(busy);
  const other = read('b', 1);
  for (const each of [first, second, other]) {
    await new Promise((resolve) => setImmediate(resolve));
    answer();
    await each;
  }
  const afterwards = read('a', 1);
  await new Promise((resolve) => setImmediate(resolve));
  answer();

  await expect(afterwards).resolves.toBeDefined();
  await stop();
});

test('together they take no more than 256 MB, save one that is larger by itself', async () => {
  const { answer, read, stop } = thread();

  const large = read('a', 257);
  await expect(read('b', 1)).rejects.toThrow(busy);
  await new Promise((resolve) => setImmediate(resolve));
  answer();
  await large;
  const next = read('b', 1);
  await new Promise((resolve) => setImmediate(resolve));
  answer();

  await expect(next).resolves.toBeDefined();
  await stop();
});
