import { expect, test } from 'vitest';
import { readParameters, textsOf } from './parameter-texts.ts';
import type { Parameter } from './value-editor.ts';

const parameter = (name: string, type: string, isRequired = false): Parameter => ({
  name,
  type,
  isRequired,
  isSensitive: false,
});
const parameters = [
  parameter('action', 'Enum[install, status]', true),
  parameter('count', 'Integer[1]'),
  parameter('options', 'Hash'),
];

test('fields that are filled in are values by the types of their parameters', () => {
  expect(readParameters(parameters, { action: 'status', count: '3', options: '' })).toEqual({
    values: { action: 'status', count: 3 },
    isComplete: true,
  });
});

test.each([[{ count: '3' }], [{ action: 'status', count: '0' }], [{ action: 'status', options: '{' }]])(
  'the fields %j are not complete',
  (texts) => {
    expect(readParameters(parameters, texts).isComplete).toBe(false);
  },
);

test('a link to a form has values, which stand as texts in the fields', () => {
  expect(textsOf({ action: 'status', count: 3, options: { a: true } })).toEqual({
    action: 'status',
    count: '3',
    options: '{"a":true}',
  });
});
