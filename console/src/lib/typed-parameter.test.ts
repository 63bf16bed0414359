import { expect, test } from 'vitest';
import { readTyped } from './typed-parameter.ts';

const brokers = String.raw`Optional[Array[Pattern[/\A[^\s\/,]+:\d+\z/], 1]]`;

test.each([
  [undefined, '5', 5],
  ['String[1]', '5', '5'],
  ['Integer[1,10]', '5', 5],
  ['Boolean', 'true', true],
  [brokers, '["a.test:8142"]', ['a.test:8142']],
  ['Variant[String, Array[String]]', '["a"]', ['a']],
  ["Enum['a', 'b']", 'b', 'b'],
  // oxlint-disable-next-line no-template-curly-in-string -- as groups refer to facts
  ['Integer', '${facts.count}', '${facts.count}'],
  ['Struct[{a => String}]', '{"a": "b"}', { a: 'b' }],
])('%s reads %s', (type, text, value) => {
  expect(readTyped(type, text)).toEqual({ kind: 'value', value });
});

test.each([
  [brokers, '["a.test"]', '"a.test": This does not match'],
  [brokers, '[]', 'At least 1'],
  [brokers, 'a.test:8142', 'This is not JSON'],
  ['Array[String]', '{"a": 1}', 'This is not a list'],
  ['Array[Integer]', '[1, "b"]', '"b": This is not a whole number'],
  ['Hash[String, String]', '["a"]', 'This is not a hash'],
  ['Pattern[/^[a,b]+$/]', 'c', 'This does not match'],
  ['Variant[Boolean, Enum[on, off]]', 'maybe', 'Either true or false'],
  ['Integer[1,10]', '12', 'At most 10'],
])('%s refuses %s', (type, text, message) => {
  expect(readTyped(type, text)).toEqual({ kind: 'mistake', message: expect.stringContaining(message) });
});
