import { describe, expect, test } from 'vitest';
import { parseQueryJson, parseQueryJsons } from './json-mistake.ts';

// Inputs for which a step for each character after each character takes minutes.
describe('long texts are read in one go', () => {
  const length = 2_000_000;

  test('an unfinished text of one word', () => {
    expect(() => parseQueryJson(`["${'Class'.repeat(length / 5)}`)).toThrow('was expecting closing quote');
  });

  test('a long word that is no JSON', () => {
    expect(() => parseQueryJson('a'.repeat(length))).toThrow('Unrecognized token');
    expect(() => parseQueryJson(`{"a": ${'null'.repeat(length / 4)}}`)).toThrow('Unrecognized token');
  });

  test('many values', () => {
    expect(parseQueryJsons('1 '.repeat(length / 2))).toHaveLength(length / 2);
  });
});

test('a mistake in a later value is told with its place in the whole text', () => {
  expect(() => parseQueryJsons('[1]\n[2, ?]')).toThrow(
    /^Json parse error at line 2, column 6:\n\n\[2, \?\]\n {4}\^\n\nUnexpected character/,
  );
});
