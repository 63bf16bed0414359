import { expect, test } from 'vitest';
import { readCommandLine } from '../own-options.ts';
import { providerFieldsOf } from './provider-fields.ts';

const names = ['--issuer', '--client-id', '--display-name', '--set'];
const existing = {
  id: 'p1',
  name: 'company',
  display_name: 'The company',
  issuer: 'https://login.example.com',
  client_id: 'bunraku',
  groups_claim: 'groups',
};
const fields = (args: readonly string[], before?: typeof existing) =>
  providerFieldsOf(readCommandLine(args, { withValue: names, flags: [] }), 'company', before);

test('a new provider has the given settings, and its name until it gets a display name', () => {
  const needed = ['--issuer', 'https://login.example.com', '--client-id', 'bunraku'];

  expect(fields([...needed, '--set', 'scopes=openid groups'])).toEqual({
    name: 'company',
    display_name: 'company',
    issuer: 'https://login.example.com',
    client_id: 'bunraku',
    scopes: 'openid groups',
  });
});

test('a change leaves the rest as it is', () => {
  expect(fields(['--set', 'groups_claim=roles', '--display-name', 'Example'], existing)).toEqual({
    ...existing,
    display_name: 'Example',
    groups_claim: 'roles',
  });
});

test.each([
  [['--issuer', 'https://login.example.com'], 'a new identity provider needs --client-id'],
  [[], 'a new identity provider needs --issuer and --client-id'],
])('%j is not enough for a new provider', (args, message) => {
  expect(() => fields(args)).toThrow(message);
});

test.each([
  ['scopes', "--set takes NAME=VALUE, not 'scopes'"],
  ['client_secret=x', '--secret asks for the secret'],
])('--set %s is refused', (text, message) => {
  expect(() => fields(['--set', text], existing)).toThrow(message);
});
