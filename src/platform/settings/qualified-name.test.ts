import { expect, test } from 'vitest';
import { qualifiedName } from './qualified-name.ts';

test.each([
  ['a.example.net', {}, 'a.example.net'],
  ['a', {}, 'a'],
  ['a', { '/etc/hosts': '127.0.0.1 localhost\n192.0.2.1 A.example.net a # a.wrong.net' }, 'a.example.net'],
  ['a', { '/etc/resolv.conf': 'search b.net c.net\ndomain example.net.\n' }, 'a.example.net'],
  ['a', { '/etc/resolv.conf': 'nameserver 192.0.2.1\nsearch b.net c.net\n' }, 'a.b.net'],
])('the name of %s with %j is %s', (hostname, files: Readonly<Record<string, string>>, expected) => {
  expect(qualifiedName(hostname, (path) => files[path])).toBe(expected);
});
