import { expect, test } from 'vitest';
import { certaintyText, diffLines, factText, filesText } from './change-causes.ts';

test('says what changed files have to do with the resource', () => {
  const files = { kind: 'code', certainty: 'likely', count: 1, is_declaration: true } as const;

  expect(filesText(files)).toBe('The code that declares the resource was changed');
  expect(filesText({ ...files, is_declaration: false, count: 2 })).toBe(
    'Other code of the same module was changed: 2 files',
  );
  expect(filesText({ ...files, is_declaration: false, certainty: 'possible', count: 1200 })).toBe(
    'Other code of the environment was changed: 1,200 files',
  );
  expect(filesText({ ...files, kind: 'data', is_declaration: false })).toBe('Hiera data was changed: 1 file');
  expect(certaintyText({ certainty: 'sure' })).toBe('Certain');
  expect(factText('role', 'db', 'web')).toContain('web');
});

test('reads the lines of a diff, with the place of each part', () => {
  expect(
    diffLines('@@ -2 +2 @@ node default {\n-  include ntp\n+  include chrony\n@@ -9,0 +10,2 @@\n+a\n+b\n…'),
  ).toEqual([
    { sign: '@', text: 'line 2' },
    { sign: '-', text: '  include ntp' },
    { sign: '+', text: '  include chrony' },
    { sign: '@', text: 'lines 10 to 11' },
    { sign: '+', text: 'a' },
    { sign: '+', text: 'b' },
  ]);
  expect(diffLines('')).toEqual([]);
});
