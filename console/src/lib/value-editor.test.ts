import { expect, test } from 'vitest';
import { editorOf, namesIn, readValue } from './value-editor.ts';

test.each([
  ['Boolean', { kind: 'boolean' }, false],
  ['Optional[Boolean]', { kind: 'boolean' }, true],
  ["Enum['install', status, \"it's\"]", { kind: 'choice', options: ['install', 'status', "it's"] }, false],
  ['Integer[1,10]', { kind: 'number', isInteger: true, min: 1, max: 10 }, false],
  ['Integer[default, 5]', { kind: 'number', isInteger: true, max: 5 }, false],
  ['Optional[Float]', { kind: 'number', isInteger: false }, true],
  ['String[1]', { kind: 'text' }, false],
  ['Sensitive[String]', { kind: 'text' }, false],
  ['Optional[Sensitive[Pattern[/^[a-z]+$/]]]', { kind: 'text' }, true],
  ['TargetSpec', { kind: 'targets' }, false],
  ['Array[Enum[a, b]]', { kind: 'json' }, false],
  ['Hash[String, Any]', { kind: 'json' }, false],
  ['Variant[String, Integer]', { kind: 'any' }, false],
  ['Stdlib::Absolutepath', { kind: 'any' }, false],
  ['not a type [', { kind: 'any' }, false],
])('a value of the type %s is entered by %j', (type, editor, isOptional) => {
  expect(editorOf(type)).toEqual({ editor, isOptional });
});

test.each([
  ['text', '3', '3'],
  ['any', '3', 3],
  ['any', '"3"', '3'],
  ['any', '/etc/motd', '/etc/motd'],
  ['json', '["a"]', ['a']],
  ['boolean', 'false', false],
  ['targets', 'a, b\nc a', ['a', 'b', 'c']],
] as const)('in a field of the kind %s the text %j is the value %j', (kind, text, value) => {
  expect(readValue({ kind }, text)).toEqual({ kind: 'value', value });
});

test('an empty field has no value', () => {
  expect(readValue({ kind: 'json' }, '')).toEqual({ kind: 'absent' });
});

test.each([
  [{ kind: 'json' }, '[', 'This is not JSON'],
  [{ kind: 'number', isInteger: true }, '1.5', 'This is not a whole number'],
  [{ kind: 'number', isInteger: true }, 'x', 'This is not a number'],
  [{ kind: 'number', isInteger: true, min: 1 }, '0', 'At least 1'],
  [{ kind: 'number', isInteger: false, max: 2 }, '2.5', 'At most 2'],
] as const)('in the field %j the text %j is a mistake', (editor, text, message) => {
  expect(readValue(editor, text)).toEqual({ kind: 'mistake', message });
});

test('names are separated by commas, spaces and line ends', () => {
  expect(namesIn(' a.example.com,b.example.com\n\nc.example.com ')).toEqual([
    'a.example.com',
    'b.example.com',
    'c.example.com',
  ]);
});
