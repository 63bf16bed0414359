/** Rules about identities that a server has proved, instead of a secret: `identity: { provider: aws, account: "123456789012" }`. */

import type { ServiceError } from '../../../lib/service-error.ts';

/** Who asks, as a platform vouches for it. */
export interface ApplicantIdentity {
  /** As rules name it: `aws`. */
  readonly provider: string;
  /** What rules may look at: `account`, `group`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether the proof names the key of the request. */
  readonly isKeyBound: boolean;
}

/** What rules may say about the identities of one platform. */
interface ProviderRules {
  readonly fields: readonly string[];
  /** A rule that signs has to say these: without them it would sign for other people's machines. */
  readonly required: readonly string[];
  /** Values that patterns would make too wide. */
  readonly exact?: Readonly<Record<string, RegExp>>;
  /** The platform lets people choose the name, so that the rule has to limit certnames. */
  readonly needsCertname?: boolean;
}

const account = /^\d{12}$/;
const providers: Readonly<Record<string, ProviderRules>> = {
  aws: { fields: ['account', 'group', 'role'], required: ['account'], exact: { account } },
  'aws-document': {
    fields: ['account', 'group', 'image', 'region'],
    required: ['account'],
    exact: { account },
  },
  kubernetes: {
    fields: ['namespace', 'service_account'],
    required: ['namespace', 'service_account'],
    needsCertname: true,
  },
};

/** A rule's part about identities: patterns by name, `provider` among them. */
export type IdentityRule = Readonly<Record<string, readonly string[]>>;

/** Reads a pattern as everywhere in the file. */
type Matcher = (pattern: string) => (text: string) => boolean;

/**
 * @param rule - patterns by field
 * @returns why the rule does not fit, for an applicant
 * @throws what `fail` makes, for a rule that is not complete
 */
export function identityTest(
  rule: IdentityRule,
  { hasCertname, isSigning }: { readonly hasCertname: boolean; readonly isSigning: boolean },
  matcher: Matcher,
  fail: (message: string) => ServiceError,
): (applicant: { readonly identity?: ApplicantIdentity | undefined }) => string | undefined {
  const { provider: names = [], ...fields } = rule;
  const [provider = ''] = names;
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (known === undefined || names.length !== 1)
    throw fail(`identity: provider is one of ${Object.keys(providers).join(', ')}`);
  checkFields(provider, known, fields, fail);
  if (isSigning) checkComplete(provider, known, { fields, hasCertname }, fail);
  const tests = Object.entries(fields).map(([name, patterns]) => [name, patterns.map(matcher)] as const);
  return ({ identity }) => {
    if (identity?.provider !== provider) return `no proof of an identity by ${provider}`;
    for (const [name, matchers] of tests) {
      const value = identity.attributes[name];
      if (value === undefined) return `the ${name} of the identity is not known`;
      // Strangers are told this: what the rule wants instead is not for them.
      if (!matchers.some((matches) => matches(value))) return `${name} is '${value}'`;
    }
    return undefined;
  };
}

function checkFields(
  provider: string,
  { exact = {}, fields }: ProviderRules,
  given: IdentityRule,
  fail: (message: string) => ServiceError,
): void {
  for (const [name, values] of Object.entries(given)) {
    if (!fields.includes(name))
      throw fail(`identity: ${provider} has no '${name}', but ${fields.join(', ')}`);
    const wrong = values.find((value) => exact[name]?.test(value) === false);
    if (wrong !== undefined) throw fail(`identity: '${wrong}' is no ${name}`);
  }
}

function checkComplete(
  provider: string,
  { needsCertname, required }: ProviderRules,
  { fields, hasCertname }: { readonly fields: IdentityRule; readonly hasCertname: boolean },
  fail: (message: string) => ServiceError,
): void {
  const missing = required.filter((name) => (fields[name]?.length ?? 0) === 0);
  if (missing.length > 0)
    throw fail(`identity: a rule that signs for ${provider} has to name ${missing.join(' and ')}`);
  if (needsCertname === true && !hasCertname)
    throw fail(
      `identity: a rule that signs for ${provider} has to name certname, since people choose the names there`,
    );
}
