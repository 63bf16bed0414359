import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topLevelMembers } from './top-level-members.ts';

function cut(json: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = Buffer.from(json);
  const members = topLevelMembers(bytes);
  if (members === undefined) return undefined;
  const values = [...members].map(([key, { start, end }]) => [
    key,
    JSON.parse(bytes.toString('utf8', start, end)) as unknown,
  ]);
  return Object.fromEntries(values) as Record<string, unknown>;
}

const key = fc.string().filter((text) => !JSON.stringify(text).includes('\\') && text !== '__proto__');

test('the members of any object are found where they are', () => {
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      expect(cut(json)).toEqual(JSON.parse(json));
    }),
  );
});

test.each([
  '',
  '[]',
  '5',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":[1',
  '{"a":"x',
  '{"a":1,}',
  '{"a" 1}',
  '{a:1}',
])('%s is left to the parser', (json) => {
  expect(cut(json)).toBeUndefined();
});

test.each([String.raw`{"\u0061":1}`, '{"a":1,"a":2}'])('%s is not plain enough', (json) => {
  expect(topLevelMembers(Buffer.from(json))).toBeUndefined();
});
