import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LinearPattern } from '../../../lib/posix-pattern/index.ts';
import type { Identity } from '../route.ts';
import { AuthorizationError, Authorizer, defaultRules, readRules } from './index.ts';

function certificate(
  certname: string,
  extensions: Record<string, string> = {},
  dnsAltNames: string[] = [],
): Identity {
  return {
    kind: 'certificate',
    certname,
    dnsAltNames,
    extensions,
    serial: '5',
    raw: Buffer.alloc(0),
    address: '192.0.2.7',
  };
}

const anonymous: Identity = { kind: 'anonymous', address: '192.0.2.7' };
const agent = certificate('agent1.example.net');

function isAllowed(authorizer: Authorizer, method: string, target: string, identity: Identity): boolean {
  const url = new URL(target, 'https://puppet');
  const path = decodeURIComponent(url.pathname);
  return authorizer.decide({ method, path, query: url.searchParams }, identity, path).kind === 'allowed';
}

function rulesWith(...rules: string[]): Authorizer {
  return new Authorizer(
    readRules(`authorization: { version: 1, rules: [${rules.join(',\n')}] }`, 'auth.conf').rules,
  );
}

describe('the default rules', () => {
  const authorizer = new Authorizer(defaultRules);

  test.each([
    ['GET', '/puppet/v3/catalog/agent1.example.net', true],
    ['POST', '/puppet/v3/catalog/agent1.example.net?environment=x', true],
    ['PUT', '/puppet/v3/catalog/agent1.example.net', false],
    ['GET', '/puppet/v3/catalog/agent2.example.net', false],
    ['GET', '/puppet/v3/catalog/*', false],
    ['GET', '/puppet/v3/catalog/x%2Fagent1.example.net', false],
    ['GET', '/puppet/v3/node/agent1.example.net', true],
    ['PUT', '/puppet/v3/report/AGENT1.example.net', true],
    ['PUT', '/puppet/v3/report/agent2.example.net', false],
    ['GET', '/puppet/v3/file_metadatas/plugins', true],
    ['HEAD', '/puppet/v3/file_bucket_file/md5/x', true],
    ['PUT', '/puppet/v3/file_bucket_file/md5/x', true],
    ['GET', '/puppet/v3/file_bucket_file/md5/x', false],
    ['DELETE', '/puppet/v3/file_bucket_file/md5/x', false],
    ['POST', '/puppet/v4/catalog', false],
    ['GET', '/puppet-ca/v1/certificate_status/agent1.example.net', false],
    ['GET', '/puppet-ca/v1/expirations', true],
    ['GET', '/puppet/v3/environment_classes', false],
    ['GET', '/nosuch', false],
  ])('let an agent %s %s: %s', (method, target, expected) => {
    const result = isAllowed(authorizer, method, target, agent);

    expect(result).toBe(expected);
  });

  test('let everybody ask for what comes before a certificate, and only for that', () => {
    const paths = [
      '/puppet-ca/v1/certificate/ca',
      '/puppet-ca/v1/certificate_request/x',
      '/status/v1/simple',
    ];

    expect(paths.map((path) => isAllowed(authorizer, 'GET', path, anonymous))).toEqual([true, true, true]);
    expect(isAllowed(authorizer, 'GET', '/puppet/v3/environments', anonymous)).toBe(false);
  });

  test('let the CA command manage certificates by its extension', () => {
    const command = certificate('puppet.example.net', { pp_cli_auth: 'true' });

    expect(isAllowed(authorizer, 'PUT', '/puppet-ca/v1/certificate_status/x', command)).toBe(true);
    expect(
      isAllowed(
        authorizer,
        'PUT',
        '/puppet-ca/v1/certificate_status/x',
        certificate('p', { pp_cli_auth: 'no' }),
      ),
    ).toBe(false);
  });

  test('let only a certificate with the extension read the file bucket', () => {
    const command = certificate('puppet.example.net', { pp_cli_auth: 'true' });

    expect(isAllowed(authorizer, 'GET', '/puppet/v3/file_bucket_file/md5/x', command)).toBe(true);
  });

  test('refuse in the words of the reference', () => {
    const path = '/puppet/v3/node/agent2.example.net';

    const decision = authorizer.decide({ method: 'GET', path, query: new URLSearchParams() }, agent, path);

    expect(decision).toEqual({
      kind: 'forbidden',
      message: `Forbidden request: ${path} (method :get). Please see the server logs for details.`,
      reason: `Forbidden request: agent1.example.net(192.0.2.7) access to ${path} (method :get) (authenticated: true) denied by rule 'puppetlabs node'.`,
    });
  });
});

describe('rules of an auth.conf', () => {
  test('are asked by sort-order, then by name, and the first that fits decides', () => {
    const authorizer = rulesWith(
      '{ match-request: { path: "/a", type: path }, allow: "*", sort-order: 500, name: b }',
      '{ match-request: { path: "/a", type: path }, deny: "*", sort-order: 500, name: a }',
      '{ match-request: { path: "/a/b", type: path }, allow: "*", sort-order: 10, name: z }',
    );

    expect(isAllowed(authorizer, 'GET', '/a/b', agent)).toBe(true);
    expect(isAllowed(authorizer, 'GET', '/a', agent)).toBe(false);
    expect(isAllowed(authorizer, 'GET', '/c', agent)).toBe(false);
  });

  test.each([
    ['"agent1.example.net"', true],
    ['"AGENT1.example.NET"', true],
    ['"*.example.net"', true],
    ['"*.other.net"', false],
    ['"*.ample.net"', false],
    ['"/^agent\\\\d\\\\./"', true],
    ['"/(?i)^AGENT/"', true],
    ['[other, agent1.example.net]', true],
    ['{ certname: "*.example.net" }', true],
    ['{ extensions: { pp_role: [web, db] } }', true],
    ['{ extensions: { pp_role: web, pp_env: prod } }', false],
    ['{ extensions: { constructor: x } }', false],
    ['alias.example.org', true],
  ])('allow %s: %s', (allow, expected) => {
    const authorizer = rulesWith(
      `{ match-request: { path: "/x", type: path }, allow: ${allow}, sort-order: 1, name: r }`,
    );
    const identity = certificate('agent1.example.net', { pp_role: 'db' }, ['alias.example.org']);

    expect(isAllowed(authorizer, 'GET', '/x', identity)).toBe(expected);
  });

  test('deny goes before allow within a rule', () => {
    const authorizer = rulesWith(
      '{ match-request: { path: "/x", type: path }, allow: "*", deny: "agent1.example.net", sort-order: 1, name: r }',
    );

    expect(isAllowed(authorizer, 'GET', '/x', agent)).toBe(false);
    expect(isAllowed(authorizer, 'GET', '/x', certificate('agent2.example.net'))).toBe(true);
  });

  test('look at methods and query parameters', () => {
    const authorizer = rulesWith(
      '{ match-request: { path: "/x", type: path, method: [get, HEAD], query-params: { e: [a, b], f: c } }, allow: "*", sort-order: 1, name: r }',
    );

    expect(isAllowed(authorizer, 'HEAD', '/x?e=b&f=c&g=d', agent)).toBe(true);
    expect(isAllowed(authorizer, 'GET', '/x?e=z&e=a&f=c', agent)).toBe(true);
    expect(isAllowed(authorizer, 'GET', '/x?e=a', agent)).toBe(false);
    expect(isAllowed(authorizer, 'POST', '/x?e=a&f=c', agent)).toBe(false);
  });

  test.each([
    ['', 'Missing authorization service configuration.'],
    ['authorization: 1', 'The authorization service configuration is not a map.'],
    ['authorization: { version: 2 }', 'Unsupported or missing version'],
    ['authorization: { version: 1 }', 'rules is not a list'],
    ['authorization: { version: 1, rules: [1] }', 'should be specified as a map'],
    ['authorization: {', 'Expecting close }'],
  ])('refuses the file %j', (text, message) => {
    expect(() => readRules(text, '/etc/auth.conf')).toThrowError(AuthorizationError);
    expect(() => readRules(text, '/etc/auth.conf')).toThrowError(/^\/etc\/auth\.conf: /);
    expect(() => readRules(text, '/etc/auth.conf')).toThrowError(message);
  });

  test.each([
    ['{ name: r, sort-order: 1, allow: "*" }', "must contain a 'match-request' section"],
    [
      '{ match-request: { type: path }, name: r, sort-order: 1, allow: "*" }',
      "does not contain a 'path' key",
    ],
    [
      '{ match-request: { path: "/", type: path }, sort-order: 1, allow: "*" }',
      "does not contain a 'name' key",
    ],
    [
      '{ match-request: { path: "/", type: path }, name: r, sort-order: 1000, allow: "*" }',
      'number from 1 to 999',
    ],
    [
      '{ match-request: { path: "/", type: glob }, name: r, sort-order: 1, allow: "*" }',
      "either 'path' or 'regex'",
    ],
    [
      '{ match-request: { path: "/", type: path, method: patch }, name: r, sort-order: 1, allow: "*" }',
      'Invalid method',
    ],
    [
      '{ match-request: { path: "/", type: path }, name: r, sort-order: 1 }',
      "either a 'deny' or 'allow' rule",
    ],
    [
      '{ match-request: { path: "/(", type: regex }, name: r, sort-order: 1, allow: "*" }',
      'path regex provided',
    ],
    [
      '{ match-request: { path: "/(a)", type: regex }, name: r, sort-order: 1, allow: "$2" }',
      "back reference '$2'",
    ],
    [
      '{ match-request: { path: "/", type: path }, name: r, sort-order: 1, allow: "a b" }',
      'invalid domain value: a b',
    ],
    ['{ match-request: { path: "/", type: path }, name: r, sort-order: 1, allow: {} }', 'exactly one of'],
    [
      '{ match-request: { path: "/", type: path }, name: r, sort-order: 1, allow: "*", allow-unauthenticated: true }',
      'cannot have allow or deny',
    ],
    [
      '{ match-request: { path: "/", type: path }, name: r, sort-order: 1, deny: { rbac: { permission: "a:b:c" } } }',
      'cannot be used to deny access',
    ],
  ])('refuses the rule %s', (rule, message) => {
    expect(() => rulesWith(rule)).toThrowError(message);
  });

  test('refuses two rules of one name', () => {
    const rule = '{ match-request: { path: "/", type: path }, name: r, sort-order: 1, allow: "*" }';

    expect(() => rulesWith(rule, rule)).toThrowError("Duplicate rules named 'r'.");
  });
});

test('the sample of auth.conf says what holds without one', () => {
  const sample = readFileSync(new URL('../../../../examples/auth.conf', import.meta.url), 'utf8');

  expect(withRegExps(readRules(sample, 'auth.conf'))).toEqual(
    withRegExps({ rules: defaultRules, allowHeaderCertInfo: false }),
  );
});

/** Patterns keep what they compiled at their first use, which does not make them different. */
function withRegExps(value: unknown): unknown {
  if (value instanceof LinearPattern) return value.regExp;
  if (Array.isArray(value)) return value.map(withRegExps);
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withRegExps(item)]));
}
