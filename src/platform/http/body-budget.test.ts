import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.ts';

const present = new AbortController().signal;

/** Reserves, and says whether that is done. */
function start(budget: BodyBudget, client: string, bytes: number, signal = present) {
  const state = { isHeld: false };
  const held = budget.reserve(client, bytes, signal).then((release) => {
    state.isHeld = true;
    return release;
  });
  return { state, held };
}

test('bodies wait for memory, in order', async () => {
  const budget = new BodyBudget({ maxBytes: 100 });
  const release = await budget.reserve('a', 80, present);
  const large = start(budget, 'b', 90);
  const small = start(budget, 'c', 15);

  expect([budget.used, large.state.isHeld, small.state.isHeld]).toEqual([80, false, false]);
  release();
  (await large.held)();
  await small.held;
  expect(budget.used).toBe(15);
});

test('a body that is larger than all memory is taken alone', async () => {
  const budget = new BodyBudget({ maxBytes: 100 });
  const release = await budget.reserve('a', 200, present);
  const other = start(budget, 'b', 1);

  expect([budget.used, other.state.isHeld]).toEqual([200, false]);
  release();
  await other.held;
});

test('one client leaves half of the memory to others', async () => {
  const budget = new BodyBudget({ maxBytes: 100 });
  const release = await budget.reserve('a', 40, present);
  const greedy = start(budget, 'a', 40);
  const other = await budget.reserve('b', 40, present);

  expect([budget.used, greedy.state.isHeld]).toEqual([80, false]);
  other();
  expect(greedy.state.isHeld).toBe(false);
  release();
  await greedy.held;
});

test('a body that waits for too long is refused, and others go on', async () => {
  const budget = new BodyBudget({ maxBytes: 100, maxWaitMs: 1, maxWaiting: 1 });
  await budget.reserve('a', 80, present);
  const waiting = budget.reserve('b', 90, present);

  await expect(budget.reserve('c', 90, present)).rejects.toMatchObject({ details: { retryAfterSeconds: 5 } });
  await expect(waiting).rejects.toMatchObject({ reason: 'unavailable' });
  await budget.reserve('c', 20, present);
  expect(budget.used).toBe(100);
});

test('a client that leaves waits no longer', async () => {
  const budget = new BodyBudget({ maxBytes: 100 });
  const client = new AbortController();
  await budget.reserve('a', 80, present);
  const leaving = budget.reserve('b', 90, client.signal);
  const next = start(budget, 'c', 20);

  client.abort(new Error('gone'));

  await expect(leaving).rejects.toThrow('gone');
  await next.held;
});
