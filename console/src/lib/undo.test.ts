import { expect, test } from 'vitest';
import { differences, undo } from './undo.ts';

const before = { name: 'Web', classes: { ntp: { servers: ['a'] } }, rule: ['=', 'x', '1'] };
const after = { name: 'Web', classes: { ntp: { servers: ['b'] }, apache: {} }, rule: ['=', 'x', '2'] };
const fields = ['name', 'classes', 'rule', 'description'];

test('reverting a change restores the old values', () => {
  expect(undo({ id: '1', ...after }, before, after, fields)).toEqual({
    value: { id: '1', ...before },
    conflicts: [],
  });
});

test('later changes by others are kept', () => {
  const current = { ...after, name: 'Web servers', classes: { ...after.classes, motd: { text: 'hi' } } };

  expect(undo(current, before, after, fields)).toEqual({
    value: { ...before, name: 'Web servers', classes: { ...before.classes, motd: { text: 'hi' } } },
    conflicts: [],
  });
});

test('values that others have changed since are listed', () => {
  const current = { ...after, classes: { ntp: { servers: ['c'] }, apache: {} }, rule: null };

  expect(undo(current, before, after, fields)).toEqual({
    value: { ...current, classes: { ntp: { servers: ['c'] } } },
    conflicts: ['classes.ntp.servers', 'rule'],
  });
});

test('a part that was there before comes back, one that was not goes', () => {
  const removed = { name: 'Web' };
  const described = { name: 'Web', description: 'of the web team' };

  expect(undo(removed, described, removed, fields).value).toEqual(described);
  expect(undo(described, removed, described, fields).value).toEqual(removed);
});

test('differences go as deep as objects do', () => {
  expect(differences(before, after)).toEqual([
    { path: 'classes.apache', before: undefined, after: {} },
    { path: 'classes.ntp.servers', before: ['a'], after: ['b'] },
    { path: 'rule', before: ['=', 'x', '1'], after: ['=', 'x', '2'] },
  ]);
  expect(differences(undefined, { a: 1 })).toEqual([{ path: '', before: undefined, after: { a: 1 } }]);
});
