import { expect, test } from 'vitest';
import { silentLogger } from '../log/index.ts';
import { LongPoll } from './long-poll.ts';

const lines: string[] = [];
const log = { ...silentLogger, warn: (_fields: unknown, line: string) => void lines.push(line) };

test('asks until it is stopped, rests as it is told, and logs the first of several failures', async () => {
  let count = 0;
  const third = Promise.withResolvers<void>();
  const poll = new LongPoll({
    log,
    failed: 'could not ask',
    async ask({ headers, signal, timeoutMs }) {
      count++;
      if (count < 3) throw new Error(`failure ${count}`);
      expect(headers).toEqual({ prefer: 'wait=25' });
      expect(timeoutMs).toBeGreaterThan(25_000);
      third.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      return await promise;
    },
  });

  poll.start();
  poll.start();
  await third.promise;
  await poll.stop();

  expect(count).toBe(3);
  expect(lines).toEqual(['could not ask']);
});
