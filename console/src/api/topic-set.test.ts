import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TopicSet } from './topic-set.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function followed(topics: readonly string[] = []) {
  const sent: (readonly string[])[] = [];
  const answers: ((problem?: Error) => void)[] = [];
  const set = new TopicSet(topics, (all) => {
    sent.push(all);
    return new Promise<void>((resolve, reject) => {
      answers.push((problem) => (problem === undefined ? resolve() : reject(problem)));
    });
  });
  const settle = () => vi.advanceTimersByTimeAsync(1000);
  return { answers, sent, set, settle };
}

test('parts that mount one after another share one request', async () => {
  const { sent, set, settle } = followed();
  set.opened([]);

  set.want(['jobs']);
  set.want(['certificates', 'jobs']);
  await vi.advanceTimersByTimeAsync(50);
  set.want(['certificates', 'fleet', 'jobs']);
  await settle();

  expect(sent).toEqual([['certificates', 'fleet', 'jobs']]);
});

test('a page with the same topics sends nothing', async () => {
  const { sent, set, settle } = followed(['jobs']);
  set.opened(['jobs']);

  set.want([]);
  set.want(['jobs']);
  await settle();

  expect(sent).toEqual([]);
});

test('changes during a request are sent after it', async () => {
  const { answers, sent, set, settle } = followed();
  set.opened([]);
  set.want(['nodes']);
  await settle();

  set.want(['groups']);
  await settle();
  expect(sent).toEqual([['nodes']]);
  answers[0]?.();
  await settle();

  expect(sent).toEqual([['nodes'], ['groups']]);
});

test('nothing is sent before the stream is open or after a refused request', async () => {
  const { answers, sent, set, settle } = followed();
  set.want(['nodes']);
  await settle();
  expect(sent).toEqual([]);

  set.opened([]);
  await settle();
  answers[0]?.(new Error('404'));
  set.want(['groups']);
  await settle();
  expect(sent).toEqual([['nodes']]);

  set.opened(['nodes']);
  await settle();
  expect(sent).toEqual([['nodes'], ['groups']]);
});

test('with too many topics, those of single objects are left out', () => {
  const single = Array.from({ length: 60 }, (_, number) => `node:web${number}.test`);
  const { set } = followed([...single, 'nodes']);

  expect(set.all).toHaveLength(50);
  expect(set.all[0]).toBe('nodes');
});
