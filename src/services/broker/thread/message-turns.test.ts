import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MessageTurns } from './message-turns.ts';

const large = (name: string): string => name.padEnd(600_000);

function start() {
  const heard: string[] = [];
  return { heard, turns: new MessageTurns((text) => void heard.push(text.trimEnd())) };
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

test('what has not been handed on can be forgotten', async () => {
  const { heard, turns } = start();
  turns.add(large('a'));
  turns.add('b');

  turns.clear();
  await nextTurn();
  turns.add('c');

  expect(heard).toEqual(['a', 'c']);
});
