import { expect, test } from 'vitest';
import type { Condition } from './condition.ts';
import { isPinned, pin, unpin } from './pinning.ts';

const dynamic: Condition = ['and', ['=', ['fact', 'kernel'], 'Linux']];
const pinOf = (name: string): Condition => ['=', 'name', name];

test('pins stand beside what a rule says, each once', () => {
  expect(pin(undefined, ['a', 'b', 'a'])).toEqual(['or', pinOf('a'), pinOf('b')]);
  expect(pin(dynamic, ['a'])).toEqual(['or', dynamic, pinOf('a')]);
  expect(pin(['or', dynamic, pinOf('a')], ['a', 'b'])).toEqual(['or', dynamic, pinOf('a'), pinOf('b')]);
  expect(pin(pinOf('a'), ['b'])).toEqual(['or', pinOf('a'), pinOf('b')]);
});

test('a pin that is taken out leaves the rest of the rule', () => {
  expect(unpin(['or', dynamic, pinOf('a'), pinOf('b')], ['a', 'x'])).toEqual(['or', dynamic, pinOf('b')]);
  expect(unpin(['or', pinOf('a')], ['a'])).toBeUndefined();
  expect(unpin(pinOf('a'), ['a'])).toBeUndefined();
  expect(unpin(dynamic, ['a'])).toBe(dynamic);
  expect(unpin(undefined, ['a'])).toBeUndefined();
});

test('a name that a rule only mentions is not pinned', () => {
  const excluding: Condition = ['and', ['not', pinOf('a')], dynamic];

  expect(isPinned(excluding, 'a')).toBe(false);
  expect(isPinned(['or', excluding, pinOf('a')], 'a')).toBe(true);
  expect(unpin(excluding, ['a'])).toBe(excluding);
});
