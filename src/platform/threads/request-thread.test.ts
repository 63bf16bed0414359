import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RequestThread, type Streamed } from './request-thread.ts';

const module = (name: string) => JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href);

/** A thread that does a little of everything. */
const source = `
import { notify, serveRequests } from ${module('serve-requests')};
import { PartStream } from ${module('part-stream')};
import { ServiceError } from ${JSON.stringify(new URL('../../lib/service-error.ts', import.meta.url).href)};

async function* parts(count) {
  for (let i = 0; i < count; i++) yield String(i % 10).repeat(64 * 1024);
}
async function answer(request) {
  if (request.kind === 'double') return request.value * 2;
  if (request.kind === 'refuse') throw new ServiceError('conflict', 'no');
  if (request.kind === 'parts') return new PartStream({ count: request.count }, parts(request.count));
  if (request.kind === 'die') process.exit(3);
  if (request.kind === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  notify(request.notice);
  return null;
}
serveRequests({
  take(incoming, next) {
    const together = [incoming];
    for (let more = next(); more !== undefined; more = next()) together.push(more);
    for (const each of together) {
      if (each.request.kind === 'count') each.reply(together.length);
      else void each.answer(answer(each.request));
    }
  },
  close: () => notify('closing'),
});
`;

let directory = '';
let thread: RequestThread<unknown>;
let notices: unknown[] = [];
let started = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-thread-'));
  const file = join(directory, 'thread.mts');
  writeFileSync(file, source);
  notices = [];
  started = 0;
  thread = new RequestThread({
    start() {
      started++;
      return new Worker(file);
    },
    lost: (cause) => new Error(`the thread was lost: ${cause?.message ?? 'no reason'}`),
    closed: () => new Error('closed'),
    onNotice: (notice) => notices.push(notice),
  });
});

afterEach(async () => {
  await thread.stop();
  rmSync(directory, { recursive: true });
});

test('requests at the same time have their own answers, of one thread', async () => {
  const answers = [1, 2, 3].map((value) => thread.ask({ kind: 'double', value }));

  expect(thread.load).toBe(3);
  expect(await Promise.all(answers)).toEqual([2, 4, 6]);
  expect([thread.load, started]).toEqual([0, 1]);
});

test('requests that have arrived together can be taken together', async () => {
  await thread.ask({ kind: 'double', value: 1 });

  const mostTaken = async () => {
    const sizes = await Promise.all([1, 2, 3].map(() => thread.ask({ kind: 'count' })));
    return Math.max(...(sizes as number[]));
  };

  // A thread that has nothing else to do may take each as it comes.
  await expect.poll(mostTaken, { timeout: 10_000 }).toBeGreaterThan(1);
});

test('a refusal keeps its reason', async () => {
  await expect(thread.ask({ kind: 'refuse' })).rejects.toMatchObject({
    name: 'ServiceError',
    reason: 'conflict',
    message: 'no',
  });
});

test('a long answer comes in parts, no more than the reader has room for', async () => {
  const { body, head } = (await thread.ask({ kind: 'parts', count: 40 })) as Streamed;

  expect(head).toEqual({ count: 40 });
  // It is being read, and others have their turn meanwhile.
  expect(await thread.ask({ kind: 'double', value: 4 })).toBe(8);
  expect(body.readableLength).toBeLessThan(20 * 64 * 1024);
  expect(thread.load).toBe(1);
  expect(await buffer(body)).toHaveLength(40 * 64 * 1024);
  expect(thread.load).toBe(0);
});

test('a reader may leave', async () => {
  const { body } = (await thread.ask({ kind: 'parts', count: 1000 })) as Streamed;

  body.destroy();

  expect(await thread.ask({ kind: 'double', value: 5 })).toBe(10);
  expect(thread.load).toBe(0);
});

test('a thread that dies takes its requests with it, and is replaced', async () => {
  const first = thread.ask({ kind: 'double', value: 1 });
  await first;

  await expect(thread.ask({ kind: 'die' })).rejects.toThrow('the thread was lost: no reason');
  expect(await thread.ask({ kind: 'double', value: 2 })).toBe(4);
  expect(started).toBe(2);
});

test('a thread that hangs is abandoned', async () => {
  const hanging = thread.ask({ kind: 'hang' });
  const refused = expect(hanging).rejects.toThrow('the thread was lost: it took too long');

  await thread.abandon(new Error('it took too long'));

  await refused;
  expect(await thread.ask({ kind: 'double', value: 2 })).toBe(4);
});

test('a closed thread has answered everything that it was asked before, and is asked no more', async () => {
  const answers = Promise.all([1, 2].map((value) => thread.ask({ kind: 'double', value })));
  const closed = thread.close();

  expect(await answers).toEqual([2, 4]);
  await closed;
  expect(notices).toEqual(['closing']);
  await expect(thread.ask({ kind: 'double', value: 3 })).rejects.toThrow('closed');
});

test('a thread may say something without being asked', async () => {
  await thread.ask({ kind: 'tell', notice: { level: 'info' } });

  expect(notices).toEqual([{ level: 'info' }]);
});

test('a request that cannot be sent fails, and is not in flight afterwards', async () => {
  await expect(thread.ask({ kind: 'double', value: () => 1 })).rejects.toThrow('could not be cloned');

  expect(thread.load).toBe(0);
  expect(await thread.ask({ kind: 'double', value: 2 })).toBe(4);
});
