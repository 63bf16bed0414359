import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSilence } from './watch-silence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a connection is pinged, and cut when nothing comes back', async () => {
  const events: string[] = [];
  const peer = { receivedBytes: 0, ping: () => void events.push('ping'), cut: () => void events.push('cut') };
  const watch = watchSilence(peer);

  for (let beat = 0; beat < 20; beat += 1) {
    peer.receivedBytes += 2;
    await vi.advanceTimersByTimeAsync(5000);
  }
  expect(new Set(events)).toEqual(new Set(['ping']));
  await vi.advanceTimersByTimeAsync(21_000);
  watch.stop();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(events.filter((event) => event === 'cut')).toHaveLength(1);
  expect(events).toHaveLength(20 + 4);
});
