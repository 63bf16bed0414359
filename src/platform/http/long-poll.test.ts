import { expect, test } from 'vitest';
import { changeWithin, preferredWait } from './long-poll.ts';

test.each([
  [undefined, undefined],
  ['respond-async', undefined],
  ['wait=25', 25],
  ['respond-async, wait=5', 5],
  ['wait=9999', 60],
  ['await=3', undefined],
])('Prefer: %s is a wait of %s seconds', (prefer, seconds) => {
  expect(preferredWait({ headers: prefer === undefined ? {} : { prefer } })).toBe(seconds);
});

/** Something that changes. */
class Changing {
  readonly listeners = new Set<() => void>();
  readonly onChange = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

test.each([
  ['a change', ({ listeners }: Changing) => listeners.forEach((listener) => listener())],
  ['its signal', (_: Changing, ending: AbortController) => ending.abort()],
])('a wait ends with %s, and leaves nothing behind', async (_what, end) => {
  const [changing, ending] = [new Changing(), new AbortController()];
  const wait = changeWithin({ seconds: 3600, onChange: changing.onChange, signals: [ending.signal] });

  end(changing, ending);
  await wait;

  expect(changing.listeners.size).toBe(0);
});

test('a wait ends when its time is over, and at once after its signal', async () => {
  const { onChange } = new Changing();

  await changeWithin({ seconds: 0.01, onChange, signals: [] });
  await changeWithin({ seconds: 3600, onChange, signals: [AbortSignal.abort()] });
});
