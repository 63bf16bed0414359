import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inJsonbOrder, jsonbText } from './jsonb-text.ts';

test('keys are in the order in which PostgreSQL answered them', () => {
  const answered =
    '{"b":3,"c":{"y":2,"z1":1},"e":10,"aa":5,"k9":2,"zz":4,"é":7,"k10":1,"dddd":9,' +
    '"nest":{"a":10,"n1":1,"n2":2,"n99":9},"日本":8}';
  const sent =
    '{"k10":1,"k9":2,"b":3,"zz":4,"aa":5,"c":{"z1":1,"y":2},"é":7,"日本":8,"dddd":9,"e":10,' +
    '"nest":{"n1":1,"n2":2,"n99":9,"a":10}}';
  expect(inJsonbOrder(sent)).toBe(answered);
});

test('hashes in lists are ordered, lists are not', () => {
  expect(jsonbText([{ bb: 1, a: [3, 2] }, 'x'])).toBe('[{"a":[3,2],"bb":1},"x"]');
});

test('keys that look like numbers have no place of their own', () => {
  expect(jsonbText({ 10: 1, a: 2 })).toBe('{"a":2,"10":1}');
});

test('numbers keep their form', () => {
  expect(inJsonbOrder('{"zz":4096.0,"a":12345678901234567890}')).toBe(
    '{"a":12345678901234567890,"zz":4096.0}',
  );
});

test('what is moved is what would be written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(inJsonbOrder(JSON.stringify(value))).toBe(jsonbText(JSON.parse(JSON.stringify(value))));
    }),
  );
  expect(inJsonbOrder('{"b\\"\\\\":"\\\\","a":["\\"}",{}],"c":[]}')).toBe(
    '{"a":["\\"}",{}],"c":[],"b\\"\\\\":"\\\\"}',
  );
});

test.each(['{', '{"a":1', '[{"a', '{"a":[', '{"a":{}'])('%s is refused', (json) => {
  expect(() => inJsonbOrder(json)).toThrow(SyntaxError);
});
