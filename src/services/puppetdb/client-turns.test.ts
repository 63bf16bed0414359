import { expect, test } from 'vitest';
import { ClientTurns } from './client-turns.ts';

const present = new AbortController().signal;

/** Work that ends when it is told. */
function startQuery(turns: ClientTurns, client: string | undefined, signal = present) {
  let isRunning = false;
  let end = (): void => undefined;
  const leave = turns.enter(client);
  const ended = turns
    .run(client, signal, () => {
      isRunning = true;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    })
    .finally(leave);
  return { isRunning: () => isRunning, end: () => end(), ended };
}

test('one client leaves a place to others', () => {
  const turns = new ClientTurns({ places: 2, placesPerClient: 1, maxOpenPerClient: 10 });
  const greedy = [startQuery(turns, 'a'), startQuery(turns, 'a')];

  const other = startQuery(turns, 'b');

  expect(greedy.map(({ isRunning }) => isRunning())).toEqual([true, false]);
  expect(other.isRunning()).toBe(true);
});

test('the server itself may use all places', () => {
  const turns = new ClientTurns({ places: 2, placesPerClient: 1, maxOpenPerClient: 1 });

  const own = [startQuery(turns, undefined), startQuery(turns, undefined)];

  expect(own.every(({ isRunning }) => isRunning())).toBe(true);
});

test('clients take turns', async () => {
  const turns = new ClientTurns({ places: 1, placesPerClient: 1, maxOpenPerClient: 10 });
  const [first, second] = [startQuery(turns, 'a'), startQuery(turns, 'a')];
  const other = startQuery(turns, 'b');

  first.end();
  await first.ended;

  expect(other.isRunning()).toBe(true);
  expect(second.isRunning()).toBe(false);
});

test('a client with too many requests is told to come back', async () => {
  const turns = new ClientTurns({ places: 1, placesPerClient: 1, maxOpenPerClient: 2 });
  const first = startQuery(turns, 'a');
  startQuery(turns, 'a');

  expect(() => turns.enter('a')).toThrow('too many requests');
  expect(() => turns.enter('b')).not.toThrow();
  first.end();
  await first.ended;
  expect(() => turns.enter('a')).not.toThrow();
});

test('a query whose client has left does not run', async () => {
  const turns = new ClientTurns({ places: 1, placesPerClient: 1, maxOpenPerClient: 10 });
  const first = startQuery(turns, 'a');
  const leaving = new AbortController();
  const second = startQuery(turns, 'a', leaving.signal);
  const third = startQuery(turns, 'a');

  leaving.abort(new Error('the client left'));
  await expect(second.ended).rejects.toThrow('the client left');
  first.end();
  await first.ended;

  expect(second.isRunning()).toBe(false);
  expect(third.isRunning()).toBe(true);
});
