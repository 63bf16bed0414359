import { afterEach, beforeEach, expect, test } from 'vitest';
import { LiveHub } from './live-hub.ts';
import { TopicWatch } from './watched-topics.ts';

let hub: LiveHub;
const watches: TopicWatch[] = [];
beforeEach(() => {
  let ids = 0;
  hub = new LiveHub({ steadyMs: () => 0, newId: () => `id${ids++}` });
});
afterEach(() => watches.splice(0).forEach((watch) => watch.stop()));

function watched(read: () => string) {
  const watch = new TopicWatch(hub, [{ topic: 'code', read }]);
  watches.push(watch);
  return watch;
}

function follow(): string[] {
  const lines: string[] = [];
  const stream = hub.open({ userId: 'ann', session: undefined, address: '' }, ['code'], undefined);
  stream?.body.on('data', (bytes: Buffer) => lines.push(...bytes.toString('utf8').split('\n')));
  return lines;
}

test('followed values are read, and sent when they have changed', async () => {
  let state = 'a';
  let reads = 0;
  const watch = watched(() => {
    reads += 1;
    return state;
  });

  await watch.look();
  expect(reads).toBe(0);

  const lines = follow();
  await watch.look();
  await watch.look();
  state = 'b';
  await watch.look();

  expect(reads).toBe(3);
  await expect.poll(() => lines.filter((line) => line.startsWith('data: {"topic":"code"')).length).toBe(2);
});

test('a state that cannot be read is told once it can', async () => {
  let isAway = true;
  const watch = watched(() => {
    if (isAway) throw new Error('the database is away');
    return 'a';
  });
  const lines = follow();

  await watch.look();
  isAway = false;
  await watch.look();

  await expect.poll(() => lines.filter((line) => line.startsWith('data: {"topic":"code"')).length).toBe(1);
});
