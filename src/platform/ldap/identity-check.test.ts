import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { identityCheck } from './identity-check.ts';

let authority: OpensslAuthority;

beforeAll(() => {
  authority = new OpensslAuthority('Directory CA');
});

afterAll(() => authority.remove());

test.each([
  ['ldap.example.com', 'DNS:ldap.example.com', false, true],
  ['ldap.example.com', 'DNS:*.example.com', true, true],
  ['ldap.example.com', 'DNS:*.example.com', false, false],
  ['ldap.example.com', 'DNS:*.example.com,DNS:ldap.example.com', false, true],
  ['other.example.com', 'DNS:*.example.com,DNS:ldap.example.com', false, false],
  ['192.0.2.1', 'IP:192.0.2.1', false, true],
  ['192.0.2.1', 'DNS:ldap.example.com', true, false],
])('%s with the names %s, wildcards allowed: %s, is right: %s', (host, names, allowsWildcards, isRight) => {
  const { certificate } = authority.issue('directory', [`subjectAltName=${names}`]);
  const peer = new X509Certificate(certificate).toLegacyObject();

  const check = identityCheck({ allowsWildcards, checksHostname: true });

  expect(check(host, peer) === undefined).toBe(isRight);
  expect(identityCheck({ allowsWildcards, checksHostname: false })(host, peer)).toBeUndefined();
});

test('a common name with a wildcard counts only where wildcards are allowed', () => {
  const { certificate } = authority.issue('*.example.com');
  const peer = new X509Certificate(certificate).toLegacyObject();

  const outcome = (allowsWildcards: boolean) =>
    identityCheck({ allowsWildcards, checksHostname: true })('ldap.example.com', peer) === undefined;

  expect([outcome(true), outcome(false)]).toEqual([true, false]);
});
