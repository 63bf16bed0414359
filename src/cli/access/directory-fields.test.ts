import { expect, test } from 'vitest';
import { readCommandLine } from '../own-options.ts';
import { fieldsOf } from './directory-fields.ts';

const names = ['--kind', '--host', '--base-dn', '--security', '--lookup-user', '--set'];
const existing = {
  id: 'd1',
  display_name: 'Company',
  hostname: 'ldap.example.com',
  port: 636,
  ssl: true,
  start_tls: false,
  user_rdn: 'ou=people',
};
const fields = (args: readonly string[], before?: typeof existing) =>
  fieldsOf(readCommandLine(args, { withValue: names, flags: [] }), 'Company', before);

test('a new directory has what is usual for its kind, and TLS', () => {
  const made = fields([
    '--kind',
    'active-directory',
    '--host',
    'dc1.example.com',
    '--base-dn',
    'dc=example,dc=com',
  ]);

  expect(made).toMatchObject({
    display_name: 'Company',
    hostname: 'dc1.example.com',
    base_dn: 'dc=example,dc=com',
    port: 636,
    ssl: true,
    start_tls: false,
    user_lookup_attr: 'sAMAccountName',
    search_nested_groups: true,
  });
  expect(fields(['--kind', 'openldap'])).toMatchObject({
    user_lookup_attr: 'uid',
    group_member_attr: 'member',
  });
});

test('of a directory that is there, what is not given stays', () => {
  expect(fields([], existing)).toEqual(existing);
  expect(fields(['--security', 'start-tls'], existing)).toEqual({
    ...existing,
    port: 389,
    ssl: false,
    start_tls: true,
  });
});

test('single settings win over kinds, and may be removed', () => {
  const set = [
    'port=1636',
    'search_nested_groups=false',
    'user_rdn=',
    'group_rdn=ou=a,ou=b',
    'connect_timeout=2.5',
  ];
  const changed = fields(['--kind', 'active-directory', ...set.flatMap((text) => ['--set', text])], existing);

  expect(changed).toMatchObject({
    port: 1636,
    search_nested_groups: false,
    user_rdn: null,
    group_rdn: 'ou=a,ou=b',
    connect_timeout: 2.5,
  });
});

test.each([
  [[], 'name the kind of the new directory'],
  [['--kind', 'novell'], "--kind is openldap or active-directory, not 'novell'"],
  [['--kind', 'openldap', '--security', 'ssl'], "--security is tls, start-tls or none, not 'ssl'"],
  [['--kind', 'openldap', '--set', 'port'], "--set takes NAME=VALUE, not 'port'"],
  [
    ['--kind', 'openldap', '--set', 'search_nested_groups=yes'],
    "search_nested_groups is true or false, not 'yes'",
  ],
  [['--kind', 'openldap', '--set', 'password=x'], '--set does not take it'],
])('%j is a mistake', (args, message) => {
  expect(() => fields(args)).toThrow(message);
});
