import { expect, test } from 'vitest';
import { pathProblem } from './request-path.ts';

test.each([
  '/a/../b',
  '/a/./b',
  '/a/..',
  '/a/%2e%2e/b',
  '/a/%2E./b',
  '/a/%252e%252e/b',
  '/a/%25252e%25252e/b',
  '/a/x%2f..%2fb',
  '/a/..%5cb',
  '/a/x%255c..%255cb',
])('%s has a dot segment, whatever the route takes but opaque values', (path) => {
  const message = /^Invalid relative path \(\.\. or \.\) in: \/a\//;

  expect(pathProblem(path)).toMatch(message);
  expect(pathProblem(path, ['empty', 'backslash'])).toMatch(message);
});

test.each([
  ['/a//b', 'An empty segment in: /a//b'],
  ['//a/b', 'An empty segment in: //a/b'],
  ['/a\\b', 'A backslash in: /a\\b'],
  ['/a/x%5Cb', 'A backslash in: /a/x%5Cb'],
  ['/a/x%2Fb', 'An encoded slash in: /a/x%2Fb'],
  ['/a/x%252Fb', 'An encoded slash in: /a/x%252Fb'],
  ['/a/x%00', 'A null character in: /a/x%00'],
  ['/a/x%2500', 'A null character in: /a/x%2500'],
])('%s is refused where a route takes no such thing', (path, problem) => {
  expect(pathProblem(path)).toBe(problem);
});

test.each([
  ['/puppet/v3/file_content/modules/m/a%20b', undefined],
  ['/puppet/v3/file_content/modules/m/.hidden', undefined],
  ['/puppet/v3/file_content/modules/m/a..b', undefined],
  ['/puppet/v3/file_content/modules/m/100%25', undefined],
  ['/pdb/query/v4/', undefined],
  ['/puppet/v3/file_content/modules/m//x', ['empty', 'backslash']],
  ['/puppet/v3/file_content/modules/m/dev-disk%5Cx2duuid.swap', ['empty', 'backslash']],
  ['/puppet/v3/file_bucket_file/md5/0//etc/motd', ['empty']],
  ['/pdb/query/v4/resources/File/%2Fetc%2Fmotd', ['slash', 'backslash']],
  ['/pdb/query/v4/resources/File/C%3A%5Ctemp', ['slash', 'backslash']],
  ['/packages/current/el-9/./Packages', ['dot']],
] as const)('%s, which real clients send, is taken', (path, takes) => {
  expect(pathProblem(path, takes)).toBeUndefined();
});

test('an opaque value is no path: only the whole segment counts', () => {
  expect(pathProblem('/pdb/query/v4/resources/Exec/cd%20..%2F..%2Fx', ['slash'])).toBeUndefined();
  expect(pathProblem('/pdb/query/v4/resources/%2e%2e', ['slash'])).toMatch('Invalid relative path');
});
