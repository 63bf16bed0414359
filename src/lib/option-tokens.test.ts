import { expect, test } from 'vitest';
import { optionTokens } from './option-tokens.ts';

/** Options as `name=value`, attached values in brackets, words as they are. */
function read(...args: readonly string[]): readonly string[] {
  const kinds: Readonly<Record<string, 'switch' | 'text'>> = {
    '--facts': 'text',
    '-e': 'text',
    '--all': 'switch',
    '-w': 'switch',
  };
  return optionTokens(args, (name) => (Object.hasOwn(kinds, name) ? kinds[name] : undefined)).map((token) => {
    if (token.kind === 'word') return token.text;
    const value = token.isAttached ? `[${token.value}]` : token.value;
    return value === undefined ? token.name : `${token.name}=${value}`;
  });
}

test('values are attached or the next word, whatever that looks like', () => {
  expect(read('--facts', 'a.json', '--facts=b=c', '-e', '--all', '--facts', '--')).toEqual([
    '--facts=a.json',
    '--facts=[b=c]',
    '-e=--all',
    '--facts=--',
  ]);
});

test('switches and unknown options take no word, but may have a value attached', () => {
  expect(read('--all', 'x', '-w', 'y', '--all=no', '--other', 'z', '--other=1', '-o', 'q')).toEqual([
    '--all',
    'x',
    '-w',
    'y',
    '--all=[no]',
    '--other',
    'z',
    '--other=[1]',
    '-o',
    'q',
  ]);
});

test('short options are neither grouped nor joined with their values', () => {
  expect(read('-wx', 'a', '-eb', 'c')).toEqual(['-wx', 'a', '-eb', 'c']);
});

test('a missing value is undefined, and words follow two dashes', () => {
  expect(read('-', '--', '--all', '-w')).toEqual(['-', '--all', '-w']);
  expect(read('--facts')).toEqual(['--facts']);
});

test('names of JavaScript are names like others', () => {
  expect(read('--__proto__', '--constructor=1', '--facts', 'x')).toEqual([
    '--__proto__',
    '--constructor=[1]',
    '--facts=x',
  ]);
});
