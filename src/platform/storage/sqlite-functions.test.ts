import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { defineSqlFunctions } from './sqlite-functions.ts';

function evaluate(expression: string, ...values: readonly string[]): unknown {
  const database = new DatabaseSync(':memory:');
  defineSqlFunctions(database);
  return database.prepare(`select ${expression} as result`).get(...values)?.['result'];
}

test.each([
  ['^a.c$', 'a\nc', 1],
  ['b', 'abc', 1],
  ['^b', 'abc', 0],
])('regexp %s on %j is %d', (pattern, text, result) => {
  expect(evaluate('regexp(?, ?)', pattern, text)).toBe(result);
});

test('nothing matches null', () => {
  expect(evaluate("regexp('x', null)")).toBeNull();
});

test('the leaves of JSON are its scalars with their paths', () => {
  const leaves = evaluate('json_leaves(?, ?)', 'os', '{"a":[1,"x",{}],"b":{"c":1.5,"d":true,"e":null}}');

  expect(JSON.parse(String(leaves))).toEqual([
    { path: ['os', 'a', 0], value: 1, type: 'integer' },
    { path: ['os', 'a', 1], value: 'x', type: 'string' },
    { path: ['os', 'b', 'c'], value: 1.5, type: 'float' },
    { path: ['os', 'b', 'd'], value: true, type: 'boolean' },
    { path: ['os', 'b', 'e'], value: null, type: 'null' },
  ]);
});
