import { expect, test } from 'vitest';
import { parseFileserverConf } from './fileserver-conf.ts';

const parse = (text: string) => parseFileserverConf(text, '/etc/fileserver.conf');

test('sections are mounts with a path', () => {
  const { directories, warnings } = parse(
    '# comment\n\n[files]\n  path /srv/files # where\n  allow *\n[x-1]\npath /x/%h\n',
  );

  expect([...directories]).toEqual([
    ['files', '/srv/files'],
    ['x-1', '/x/%h'],
  ]);
  expect(warnings).toEqual([]);
});

test('rules of old files and paths of built-in mounts are ignored with a warning', () => {
  const { directories, warnings } = parse('[modules]\npath /x\nallow *.example.com\n[a]\npath /a\ndeny *\n');

  expect([...directories.keys()]).toEqual(['a']);
  expect(warnings).toEqual([
    "The 'modules' module can not have a path. Ignoring attempt to set it",
    "Entry 'allow *.example.com' is unsupported and will be ignored at (file: /etc/fileserver.conf, line: 3)",
    "Entry 'deny *' is unsupported and will be ignored at (file: /etc/fileserver.conf, line: 6)",
  ]);
});

test.each([
  ['[a]\n', 'Mounts without paths are not usable'],
  [
    '[a]\npath /a\n[a]\npath /b\n',
    'mount[a] is already mounted at a at (file: /etc/fileserver.conf, line: 3)',
  ],
  ['[a]\npath = /a\n', "Fileserver configuration file does not use '=' as a separator"],
  ['[a]\ncolour blue\n', "Invalid argument 'colour' at (file: /etc/fileserver.conf, line: 2)"],
  ['[a]\npath\n', "Invalid entry at (file: /etc/fileserver.conf, line: 2): 'path'"],
])('%j is refused', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});
