import { expect, test } from 'vitest';
import { z } from 'zod';
import { allMistakes, firstMistake, JsonBodies } from './json-body.ts';

const shape = z.object({ names: z.array(z.string()), count: z.number().optional() });
const bodies = new JsonBodies({
  notJson: (text) => new Error(`not JSON: ${text}`),
  misshapen: (problem) => new Error(`${firstMistake(problem)} | ${allMistakes(problem)}`),
});
const lenient = new JsonBodies({
  takesEmpty: true,
  notJson: () => new Error('not JSON'),
  misshapen: (problem) => new Error(firstMistake(problem)),
});

test('a body of the shape is decoded', () => {
  expect(bodies.decode(shape, Buffer.from('{"names": ["å"], "more": 1}'))).toEqual({ names: ['å'] });
});

test('what is not JSON is refused with its text', () => {
  expect(() => bodies.decode(shape, Buffer.from('{"a'))).toThrow('not JSON: {"a');
  expect(() => bodies.parse(Buffer.from(''))).toThrow('not JSON: ');
});

test('an empty body is an empty object where the API says so', () => {
  expect(lenient.parse(Buffer.from(''))).toEqual({});
  expect(() => lenient.decode(shape, Buffer.from(''))).toThrow(/^names: /);
  expect(() => lenient.parse(Buffer.from(' '))).toThrow('not JSON');
});

test('each mistake is told with its place', () => {
  const wrong = Buffer.from('{"names": ["a", 1], "count": "x"}');

  expect(() => bodies.decode(shape, wrong)).toThrow(/^names\.1: .* \| names\.1: .*; count: /);
  expect(() => bodies.decode(shape, Buffer.from('3'))).toThrow(/^: /);
});
