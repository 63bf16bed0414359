import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkShape } from './check-shape.ts';

const hostile: unknown = JSON.parse('{"length":{"toString":1}}');

test.each([
  ['a text', z.string().min(1)],
  ['a list', z.array(z.string()).max(5)],
])('%s is not an object with an odd length', (_, shape) => {
  expect(checkShape(shape, hostile).success).toBe(false);
});

test('what fits is made of the value', () => {
  expect(checkShape(z.object({ a: z.int().default(5) }), {})).toEqual({ success: true, data: { a: 5 } });
});

test('what does not fit is told by its place', () => {
  expect(checkShape(z.object({ a: z.int() }), { a: 'x' }).error?.issues[0]?.path).toEqual(['a']);
});
