import { expect, test } from 'vitest';
import { bytesText, codeText, environmentsBehind, healthOf } from './servers.ts';

const primary = { code: { production: 'a', development: 'b', test: 'c' } };

test('a server shows the environments that it serves in another version', () => {
  expect(environmentsBehind({ code: { production: 'a', development: 'x' } }, primary)).toEqual([
    'development',
    'test',
  ]);
  expect(codeText({ code: {} }, primary)).toBe('development and 2 more behind');
  expect(codeText({ code: { ...primary.code, test: 'x' } }, primary)).toBe('test behind');
  expect(codeText(primary, primary)).toBe('3 environments');
});

test('memory is read in the larger unit', () => {
  expect(bytesText(300 * 1024 ** 2)).toBe('300 MB');
  expect(bytesText(1.5 * 1024 ** 3)).toBe('1.5 GB');
});

test.each([
  ['running', [], 'good'],
  ['running', ['warning'], 'warning'],
  ['running', ['warning', 'error'], 'bad'],
  ['joining', [], 'warning'],
  ['unreachable', [], 'bad'],
])('a server that is %s with %j is %s', (state, severities, health) => {
  expect(healthOf(state, severities)).toBe(health);
});
