import { expect, test } from 'vitest';
import { compareSearch, readSide, sideText } from './search.ts';

test('a side is a node, or a node in an environment', () => {
  expect(readSide('web1.example.com')).toEqual({ certname: 'web1.example.com', environment: undefined });
  expect(readSide('web1.example.com@test')).toEqual({ certname: 'web1.example.com', environment: 'test' });
  expect(sideText(readSide('web1.example.com@test'))).toBe('web1.example.com@test');
});

test('catalogs are compared by default', () => {
  expect(compareSearch({ kind: 'catalog', left: 'a', right: '' })).toEqual({ left: 'a' });
});
