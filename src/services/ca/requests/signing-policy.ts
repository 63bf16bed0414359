/**
 * Rules for requests in one YAML file: the first rule that fits decides.
 *
 *     default: hold
 *     rules:
 *       - name: compile servers
 *         action: sign
 *         certname: ['*.compile.example.com', '/^compile\d+$/']
 *         extensions: { pp_auth_role: pe_compiler }
 *         challenge_password: [s3cret]
 *         alt_names: ['DNS:puppet', 'DNS:*.example.com', 'IP:10.0.0.0/8']
 *         source: [10.0.0.0/8]
 *         ttl: 1y
 *       - name: compile servers of our group
 *         action: sign
 *         identity: { provider: aws, account: '123456789012', group: puppet }
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { BlockList } from 'node:net';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { isInSubtree } from '../../../lib/der/index.ts';
import { isInNetworks, networkList } from '../../../lib/network-list.ts';
import { LinearPattern } from '../../../lib/posix-pattern/index.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { parseYaml, YamlError, yamlToData } from '../../../lib/yaml/index.ts';
import type { OidNames } from '../../../platform/x509/index.ts';
import {
  type CertificateRequest,
  decodeExtensionText,
  type GeneralName,
  oids,
  puppetAuthorizationArc,
  readSubjectAltNames,
  renderAltName,
  requestAttribute,
} from '../../../platform/x509/index.ts';
import { parseTtl } from '../validity.ts';
import { type ApplicantIdentity, type IdentityRule, identityTest } from './identity-test.ts';
import { asksForServerRole } from './request-policy.ts';

/** What is known of a request when it is decided upon. */
export interface Applicant {
  readonly certname: string;
  readonly request: CertificateRequest;
  /** Where the request came from; `undefined` when it came from a file. */
  readonly address: string | undefined;
  /** What it has proved of itself; absent for requests without a proof. */
  readonly identity?: ApplicantIdentity;
}

export interface Decision {
  /** `hold`: it waits for a person. */
  readonly action: 'sign' | 'hold' | 'refuse';
  /** In words, for the log. */
  readonly reason: string;
  /** Whether alternative names and authorisation extensions were looked at and allowed. */
  readonly allowsAltNames?: boolean;
  readonly allowsAuthorization?: boolean;
  readonly ttlSeconds?: number;
}

export interface SigningPolicy {
  /** `undefined` when no rule fits and the file has no default. */
  decide(applicant: Applicant): Decision | undefined;
  /**
   * Why no rule signs for this identity under that name, before there is a request; `undefined` when one may. Says nothing of what
   * rules want instead: strangers are told it.
   */
  obstacleTo(certname: string, identity: ApplicantIdentity): string | undefined;
  /** What rules that sign look at, by the platforms for whose identities they sign. */
  readonly identityFields: ReadonlyMap<string, ReadonlySet<string>>;
}

const oneOrMore = z.union([z.string().transform((text) => [text]), z.array(z.string())]);
const ActionWire = z.enum(['sign', 'hold', 'refuse']);
const RuleWire = z.strictObject({
  name: z.string().min(1),
  action: ActionWire,
  certname: oneOrMore.optional(),
  extensions: z.record(z.string(), oneOrMore).optional(),
  challenge_password: oneOrMore.optional(),
  alt_names: oneOrMore.optional(),
  source: oneOrMore.optional(),
  identity: z.record(z.string(), oneOrMore).optional(),
  ttl: z.union([z.string(), z.number(), z.bigint()]).optional(),
});
const PolicyWire = z.strictObject({ default: ActionWire.optional(), rules: z.array(RuleWire) });

type Test = (applicant: Applicant) => string | undefined;
type NameTest = (applicant: Pick<Applicant, 'certname' | 'identity'>) => string | undefined;

interface Rule {
  readonly name: string;
  readonly decision: Omit<Decision, 'reason'>;
  /** Each gives the reason why the rule does not fit. */
  readonly tests: readonly Test[];
  /** Those about the name and the identity, which need no request; absent where a rule says nothing of identities. */
  readonly identityTests?: readonly NameTest[];
}

/**
 * @param file - its name, for messages
 * @param serverRoles - values of `pp_role` that are rights
 * @throws ServiceError `conflict` naming file, rule and what is wrong
 */
export function parseSigningPolicy(
  text: string,
  file: string,
  oidNames: OidNames,
  serverRoles: readonly string[] = [],
): SigningPolicy {
  const parsed = checkShape(PolicyWire, readYaml(text, file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw broken(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a policy'}`);
  }
  const { default: fallback, rules: wires } = parsed.data;
  const rules = wires.map((wire) => compileRule(wire, file, { oidNames, serverRoles }));
  return {
    decide(applicant) {
      for (const { name, tests, decision } of rules) {
        if (tests.every((test) => test(applicant) === undefined))
          return { ...decision, reason: `rule '${name}' of ${file}` };
      }
      if (fallback === undefined) return undefined;
      return { action: fallback, reason: `default of ${file}: ${whyNot(rules, applicant)}` };
    },
    identityFields: fieldsOf(wires),
    obstacleTo: (certname, identity) => obstacleIn(rules, { certname, identity }),
  };
}

function fieldsOf(rules: readonly z.infer<typeof RuleWire>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { action, identity } of rules) {
    const [provider] = identity?.['provider'] ?? [];
    if (action !== 'sign' || provider === undefined) continue;
    const fields = found.get(provider) ?? new Set();
    for (const name of Object.keys(identity ?? {})) fields.add(name);
    found.set(provider, fields);
  }
  return found;
}

function whyNot(rules: readonly Rule[], applicant: Applicant): string {
  const reasons = rules.map(({ name, tests }) => {
    const [reason = 'fits'] = tests.flatMap((test) => test(applicant) ?? []);
    return `not '${name}' (${reason})`;
  });
  return reasons.length === 0 ? 'there are no rules' : reasons.join(', ');
}

function obstacleIn(
  rules: readonly Rule[],
  applicant: Required<Pick<Applicant, 'certname' | 'identity'>>,
): string | undefined {
  const reasons = rules.flatMap(({ decision, identityTests }) => {
    if (identityTests === undefined || decision.action !== 'sign') return [];
    const [reason = ''] = identityTests.flatMap((test) => test(applicant) ?? []);
    return [reason];
  });
  if (reasons.includes('')) return undefined;
  return `no rule of signing_policy takes it (${[...new Set(reasons)].join('; ')})`;
}

interface RuleContext {
  readonly oidNames: OidNames;
  readonly serverRoles: readonly string[];
}

function compileRule(
  wire: z.infer<typeof RuleWire>,
  file: string,
  { oidNames, serverRoles }: RuleContext,
): Rule {
  const fail = (message: string) => broken(file, `rule '${wire.name}': ${message}`);
  const { alt_names: altNames, certname, challenge_password: passwords, extensions = {}, source } = wire;
  const named = certname === undefined ? [] : [certnameTest(certname, fail)];
  const proven = wire.identity === undefined ? [] : [identityTestOf(wire.identity, wire, fail)];
  const tests: Test[] = [...named, ...proven];
  for (const [name, values] of Object.entries(extensions))
    tests.push(extensionTest(name, oidNames.oid(name), values, fail));
  if (passwords) tests.push(passwordTest(passwords));
  if (source) tests.push(sourceTest(source, fail));
  if (altNames) tests.push(altNameTest(altNames, fail));
  tests.push(
    authorizationTest(
      Object.keys(extensions).map((name) => oidNames.oid(name)),
      { oidNames, serverRoles },
      wire.action,
    ),
  );
  const ttlSeconds = wire.ttl === undefined ? undefined : parseTtl(String(wire.ttl));
  if (wire.ttl !== undefined && ttlSeconds === undefined) throw fail(`'${wire.ttl}' is no time to live`);
  return {
    name: wire.name,
    tests,
    ...(proven.length === 0 ? {} : { identityTests: [...proven, ...named] }),
    decision: {
      action: wire.action,
      allowsAltNames: altNames !== undefined,
      allowsAuthorization: true,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    },
  };
}

/** Authorisation extensions are rights: a rule signs only those that it names. */
function authorizationTest(
  named: readonly string[],
  { oidNames, serverRoles }: RuleContext,
  action: string,
): Test {
  return ({ request }) => {
    if (action !== 'sign') return undefined;
    if (asksForServerRole(request, serverRoles) && !named.includes(oidNames.oid('pp_role')))
      return 'it asks for a pp_role that makes a compile server, which the rule does not name';
    const other = request.extensions.find(
      ({ oid }) => isInSubtree(oid, puppetAuthorizationArc) && !named.includes(oid),
    );
    return other && `it asks for ${oidNames.name(other.oid)}, which the rule does not name`;
  };
}

function identityTestOf(
  rule: IdentityRule,
  { action, certname }: z.infer<typeof RuleWire>,
  fail: (message: string) => ServiceError,
): NameTest {
  const rest = { hasCertname: certname !== undefined, isSigning: action === 'sign' };
  return identityTest(rule, rest, (pattern) => textMatcher(pattern, fail), fail);
}

function certnameTest(patterns: readonly string[], fail: (message: string) => ServiceError): NameTest {
  const matchers = patterns.map((pattern) => textMatcher(pattern, fail));
  return ({ certname }) => (matchers.some((matches) => matches(certname)) ? undefined : 'other certname');
}

function extensionTest(
  name: string,
  oid: string,
  patterns: readonly string[],
  fail: (message: string) => ServiceError,
): Test {
  const matchers = patterns.map((pattern) => textMatcher(pattern, fail));
  return ({ request }) => {
    const found = request.extensions.find((extension) => extension.oid === oid);
    const value = found && decodeExtensionText(found.value);
    return value !== undefined && matchers.some((matches) => matches(value)) ? undefined : `other ${name}`;
  };
}

function passwordTest(passwords: readonly string[]): Test {
  const known = passwords.map(digestOf);
  return ({ request }) => {
    const given = digestOf(requestAttribute(request, oids.challengePassword) ?? '');
    // All are compared, so that the time says nothing about which of them came close.
    const isKnown = known.map((password) => timingSafeEqual(password, given)).includes(true);
    return isKnown ? undefined : 'wrong challenge password';
  };
}

function sourceTest(networks: readonly string[], fail: (message: string) => ServiceError): Test {
  const list = networksOf(networks, fail);
  return ({ address }) =>
    address !== undefined && isInNetworks(list, address) ? undefined : 'other source network';
}

function altNameTest(patterns: readonly string[], fail: (message: string) => ServiceError): Test {
  const dns = patterns
    .filter((pattern) => !pattern.startsWith('IP:'))
    .map((pattern) => textMatcher(pattern.replace(/^DNS:/, ''), fail));
  const addresses = networksOf(
    patterns.filter((pattern) => pattern.startsWith('IP:')).map((pattern) => pattern.slice(3)),
    fail,
  );
  return ({ certname, request }) => {
    const isAllowed = (name: GeneralName) => {
      if (name.kind === 'dns') return name.value === certname || dns.some((matches) => matches(name.value));
      return name.kind === 'ip' && isInNetworks(addresses, name.value);
    };
    const other = readSubjectAltNames(request.extensions).find((name) => !isAllowed(name));
    return other && `alternative name ${renderAltName(other)} is not in the list`;
  };
}

/** `name`, `*.example.com` (any labels before), `/regular expression/`. */
function textMatcher(pattern: string, fail: (message: string) => ServiceError): (text: string) => boolean {
  if (pattern.length > 1 && pattern.startsWith('/') && pattern.endsWith('/')) {
    const expression = new LinearPattern(compilePattern(pattern.slice(1, -1), fail));
    return (text) => expression.test(text);
  }
  if (!pattern.includes('*')) return (text) => text === pattern;
  const source = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const expression = new LinearPattern(new RegExp(`^${source.join('.*')}$`, 's'));
  return (text) => expression.test(text);
}

function compilePattern(source: string, fail: (message: string) => ServiceError): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    if (error instanceof SyntaxError) throw fail(error.message);
    throw error;
  }
}

function networksOf(networks: readonly string[], fail: (message: string) => ServiceError): BlockList {
  try {
    return networkList(networks);
  } catch (error) {
    if (error instanceof RangeError) throw fail(error.message);
    throw error;
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function readYaml(text: string, file: string): unknown {
  try {
    return yamlToData(parseYaml(text));
  } catch (error) {
    if (error instanceof YamlError) throw broken(file, error.message);
    throw error;
  }
}

function broken(file: string, message: string): ServiceError {
  return new ServiceError('conflict', `${file}: ${message}`, { kind: 'puppet-ca/policy' });
}
