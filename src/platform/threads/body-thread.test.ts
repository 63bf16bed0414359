import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { BodyThread } from './body-thread.ts';

const megabyte = 1024 * 1024;
const busy = new ServiceError('unavailable', 'Too many large reports are waiting', {
  details: { retryAfterSeconds: 30 },
});

/** A thread that answers when it is told to. */
function thread() {
  let asked = 0;
  const worker = Object.assign(new EventEmitter(), {
    ref: () => undefined,
    unref: () => undefined,
    postMessage: ({ id }: { readonly id: number }) => {
      asked = id;
    },
    terminate: () => Promise.resolve(0),
  });
  const reader = new BodyThread<{ readonly bytes: Uint8Array }, string>({
    create: () => worker as unknown as Worker,
    what: 'reports',
  });
  const read = (certname: string, megabytes: number) =>
    reader.ask({ bytes: new Uint8Array(megabytes * megabyte) }, certname);
  return {
    read,
    answer: () => worker.emit('message', { kind: 'done', id: asked, value: 'read' }),
    stop: () => reader.stop(),
  };
}

test('of one node two large bodies wait at most', async () => {
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

  await expect(afterwards).resolves.toBe('read');
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

  await expect(next).resolves.toBe('read');
  await stop();
});

test('after a thread that ended the next body has another', async () => {
  let created = 0;
  const dying = 'require("node:worker_threads").parentPort.on("message", () => process.exit(1))';
  const thread = new BodyThread({
    create() {
      created += 1;
      return new Worker(dying, { eval: true });
    },
    what: 'reports',
  });
  onTestFinished(() => thread.stop());

  for (const _body of [1, 2]) {
    await expect(thread.ask({ bytes: new Uint8Array(1) }, 'a')).rejects.toMatchObject({
      reason: 'unavailable',
    });
  }

  expect(created).toBe(2);
});
