import { beforeAll, describe, expect, test } from 'vitest';
import {
  createCertificateRequest,
  createKeyPair,
  type KeyPair,
  OidNames,
  type RequestContent,
} from '../../../platform/x509/index.ts';
import { parseSigningPolicy } from './signing-policy.ts';

const names = new OidNames(new Map([['1.3.6.1.4.1.34380.1.2.1.1', 'team']]));
let keys: KeyPair;

beforeAll(async () => {
  keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
});

async function decide(policy: string, content: RequestContent, address?: string) {
  const request = await createCertificateRequest(content, keys);
  return parseSigningPolicy(policy, 'policy.yaml', names).decide({
    certname: content.certname,
    request,
    address,
  });
}

const compileServers = `
default: hold
rules:
  - name: no strangers
    action: refuse
    certname: /\\.evil\\.example$/
  - name: compile servers
    action: sign
    certname: ['*.compile.example.com', '/^compile\\d+$/']
    extensions: { pp_auth_role: pe_compiler, team: ['/^ops-/', web] }
    challenge_password: [first, second]
    alt_names: ['DNS:puppet', 'DNS:*.example.com', 'IP:10.0.0.0/8', 'IP:2001:db8::/32']
    source: [10.0.0.0/8, 2001:db8::/32]
    ttl: 1y
`;
const good = {
  certname: 'c1.compile.example.com',
  altNames: 'puppet, a.example.com, IP:10.1.2.3, IP:2001:db8::5',
  extensions: { pp_auth_role: 'pe_compiler', '1.3.6.1.4.1.34380.1.2.1.1': 'ops-eu' },
  attributes: { '1.2.840.113549.1.9.7': 'second' },
};

describe('a rule', () => {
  test('signs what fits in all respects, and says what it has looked at', async () => {
    expect(await decide(compileServers, good, '10.9.8.7')).toEqual({
      action: 'sign',
      reason: "rule 'compile servers' of policy.yaml",
      allowsAltNames: true,
      allowsAuthorization: true,
      ttlSeconds: 31_536_000,
    });
  });

  test.each([
    ['another name', { certname: 'c1.other.example.com' }, '10.9.8.7', 'other certname'],
    [
      'another extension',
      { extensions: { ...good.extensions, pp_auth_role: 'x' } },
      '10.9.8.7',
      'other pp_auth_role',
    ],
    ['another value of its own', { extensions: { pp_auth_role: 'pe_compiler' } }, '10.9.8.7', 'other team'],
    ['no password', { attributes: {} }, '10.9.8.7', 'wrong challenge password'],
    ['another network', {}, '192.0.2.1', 'other source network'],
    ['no address', {}, undefined, 'other source network'],
    ['an alternative name', { altNames: 'puppet.evil' }, '10.9.8.7', 'DNS:puppet.evil is not in the list'],
    ['an address outside', { altNames: 'IP:192.0.2.1' }, '10.9.8.7', 'IP:192.0.2.1 is not in the list'],
    [
      'a right that it does not name',
      { extensions: { ...good.extensions, pp_authorization: 'all' } },
      '10.9.8.7',
      'it asks for pp_authorization, which the rule does not name',
    ],
  ])('does not fit %s, and the log is told why', async (_, change, address, reason) => {
    const decision = await decide(compileServers, { ...good, ...change }, address);

    expect(decision).toMatchObject({ action: 'hold' });
    expect(decision?.reason).toContain(reason);
  });

  test('before others decides', async () => {
    expect(await decide(compileServers, { certname: 'x.evil.example' })).toMatchObject({ action: 'refuse' });
  });

  test('that does not fit leaves it to autosign where the file has no default', async () => {
    const policy = 'rules: [{ name: a, action: sign, certname: b }]';

    expect(await decide(policy, { certname: 'c' })).toBeUndefined();
  });
});

test.each([
  ['rules: 1', 'policy.yaml: rules: '],
  ['rules: [{ name: a, action: maybe }]', 'policy.yaml: rules.0.action: '],
  ['rules: [{ name: a, action: sign, certnames: x }]', 'Unrecognized key: "certnames"'],
  ['rules: [{ name: a, action: sign, source: 10.0.0.0/33 }]', "rule 'a': '10.0.0.0/33' is no network"],
  ['rules: [{ name: a, action: sign, certname: "/(/" }]', "rule 'a': Invalid regular expression"],
  ['rules: [{ name: a, action: sign, ttl: soon }]', "rule 'a': 'soon' is no time to live"],
  ['rules: [', 'policy.yaml: '],
])('the file %j is refused with its place', (text, message) => {
  expect(() => parseSigningPolicy(text, 'policy.yaml', names)).toThrowError(message);
});

test('a pp_role that makes a compile server is signed by a rule that names it only', async () => {
  const rule = (extensions: string) =>
    `rules:\n  - { name: r, action: sign, certname: a, alt_names: ['DNS:puppet']${extensions} }\ndefault: hold\n`;
  const content = { certname: 'a', altNames: 'puppet', extensions: { pp_role: 'compile_server' } };
  const request = await createCertificateRequest(content, keys);
  const decideWith = (policy: string, roles: readonly string[]) =>
    parseSigningPolicy(policy, 'policy.yaml', names, roles).decide({
      certname: 'a',
      request,
      address: undefined,
    })?.action;

  expect(decideWith(rule(''), ['compile_server'])).toBe('hold');
  expect(decideWith(rule(', extensions: { pp_role: compile_server }'), ['compile_server'])).toBe('sign');
  expect(decideWith(rule(''), [])).toBe('sign');
});
