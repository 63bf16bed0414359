import { expect, test, vi } from 'vitest';
import { nameIn } from './ast.ts';

test('lists and maps name nothing, and are not printed to find out', () => {
  const stringify = vi.spyOn(JSON, 'stringify');

  expect([nameIn('and'), nameIn(null), nameIn(1), nameIn(['and']), nameIn({ and: 1 })]).toEqual([
    'and',
    '',
    '1',
    '',
    '',
  ]);
  expect(stringify.mock.calls).toEqual([[1]]);
  stringify.mockRestore();
});
