import { expect, test } from 'vitest';
import { OidNames } from '../../../platform/x509/index.ts';
import { parseSigningPolicy } from './signing-policy.ts';

const account = '123456789012';
const aws = { provider: 'aws', isKeyBound: true, attributes: { account, role: 'compile', group: 'pool' } };

function policyOf(rule: object) {
  const rules = [{ name: 'one', action: 'sign', ...rule }];
  return parseSigningPolicy(JSON.stringify({ rules }), 'policy.yaml', new OidNames(new Map()));
}

test.each([
  ['no provider', { identity: { account } }, 'identity: provider is one of aws, aws-document, kubernetes'],
  ['an unknown provider', { identity: { provider: 'toString', account } }, 'provider is one of'],
  [
    'an unknown field',
    { identity: { provider: 'aws', account, acount: account } },
    "aws has no 'acount', but account, group, role",
  ],
  [
    'no account',
    { identity: { provider: 'aws', group: 'pool' } },
    'a rule that signs for aws has to name account',
  ],
  ['an empty list of accounts', { identity: { provider: 'aws', account: [] } }, 'has to name account'],
  ['any account', { identity: { provider: 'aws', account: '*' } }, "'*' is no account"],
  ['a short account', { identity: { provider: 'aws-document', account: '1234' } }, "'1234' is no account"],
  [
    'no service account',
    { certname: 'compile-*', identity: { provider: 'kubernetes', namespace: 'puppet' } },
    'has to name service_account',
  ],
  [
    'pods of any name',
    { identity: { provider: 'kubernetes', namespace: 'puppet', service_account: 'compile' } },
    'has to name certname',
  ],
])('a rule with %s is refused by its name', (_what, rule, message) => {
  expect(() => policyOf(rule)).toThrow(/policy\.yaml: rule 'one': identity: /);
  expect(() => policyOf(rule)).toThrow(message);
});

test('a rule fits identities with all of its values, which are patterns or lists of them', () => {
  const { obstacleTo } = policyOf({
    certname: 'i-*',
    identity: { provider: 'aws', account: [account, '111111111111'], group: 'po*', role: '/^comp/' },
  });

  expect(obstacleTo('i-1.test', aws)).toBeUndefined();
  expect(obstacleTo('web.test', aws)).toBe('no rule of signing_policy takes it (other certname)');
  expect(obstacleTo('i-1.test', { ...aws, attributes: { ...aws.attributes, group: 'web' } })).toBe(
    "no rule of signing_policy takes it (group is 'web')",
  );
  expect(obstacleTo('i-1.test', { ...aws, attributes: { account, role: 'compile' } })).toBe(
    'no rule of signing_policy takes it (the group of the identity is not known)',
  );
  expect(obstacleTo('i-1.test', { ...aws, provider: 'kubernetes' })).toBe(
    'no rule of signing_policy takes it (no proof of an identity by aws)',
  );
});

test('only rules that sign make a platform one that is asked', () => {
  const identity = { provider: 'aws', account };

  expect(policyOf({ identity }).identityFields).toEqual(new Map([['aws', new Set(['provider', 'account'])]]));
  expect(policyOf({ identity, action: 'refuse' }).identityFields.size).toBe(0);
  expect(policyOf({}).identityFields.size).toBe(0);
});
