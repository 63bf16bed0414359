import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MessageTurns } from './message-turns.ts';

const large = (name: string): string => name.padEnd(600_000);

function start() {
  const heard: string[] = [];
  return { heard, turns: new MessageTurns((data) => void heard.push(String(data).trimEnd())) };
}

test('small messages are handed on at once', () => {
  const { heard, turns } = start();

  for (const text of ['a', 'b', 'c']) turns.add(text);

  expect(heard).toEqual(['a', 'b', 'c']);
});

test('after a large message the others wait for the next turn of the event loop, and keep their order', async () => {
  const { heard, turns } = start();

  for (const text of [large('a'), 'b', large('c'), large('d'), 'e']) turns.add(text);

  expect(heard).toEqual(['a']);
  await nextTurn();
  expect(heard).toEqual(['a', 'b', 'c']);
  await nextTurn();
  expect(heard).toEqual(['a', 'b', 'c', 'd']);
  await nextTurn();
  expect(heard).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('many small messages that come together are handed on in several turns', async () => {
  const { heard, turns } = start();
  const names = Array.from({ length: 20 }, (_, index) => `message ${index}`);

  for (const name of names) turns.add(name.padEnd(100_000));

  expect(heard).toEqual(names.slice(0, 6));
  await nextTurn();
  expect(heard).toEqual(names.slice(0, 12));
  await nextTurn();
  await nextTurn();
  expect(heard).toEqual(names);
});

test('what has not been handed on can be forgotten', async () => {
  const { heard, turns } = start();
  turns.add(large('a'));
  turns.add('b');

  turns.clear();
  await nextTurn();
  turns.add('c');

  expect(heard).toEqual(['a', 'c']);
});
