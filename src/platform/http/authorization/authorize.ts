/** The decision over one request: the first rule that matches decides; without one, the request is refused. */

import type { Identity } from '../route.ts';
import type { Subject } from './entry.ts';
import { matchRule, type Rule, type RuleRequest, ruleAllows, sortRules } from './rule.ts';

export type Decision =
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'forbidden';
      /** For the client: it does not say why. */
      readonly message: string;
      /** For the log: who, what, and which rule. */
      readonly reason: string;
    };

const allowed: Decision = { kind: 'allowed' };

export class Authorizer {
  private readonly rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.rules = sortRules(rules);
  }

  /** @param shownPath - the path as sent, for messages */
  decide(request: RuleRequest, identity: Identity, shownPath: string): Decision {
    const subject = subjectOf(identity);
    for (const rule of this.rules) {
      const captures = matchRule(rule, request);
      if (captures === undefined) continue;
      if (ruleAllows(rule, subject, captures)) return allowed;
      return forbidden(request.method, shownPath, identity, rule.name);
    }
    const message = 'global deny all - no rules matched';
    return { kind: 'forbidden', message, reason: message };
  }
}

/** What a refused request is answered and logged with. */
export function forbidden(method: string, path: string, identity: Identity, ruleName: string): Decision {
  const verb = `:${method.toLowerCase()}`;
  const isAuthenticated = identity.kind === 'certificate';
  const who = isAuthenticated ? `${identity.certname}(${identity.address})` : identity.address;
  return {
    kind: 'forbidden',
    message: `Forbidden request: ${path} (method ${verb}). Please see the server logs for details.`,
    reason:
      `Forbidden request: ${who} access to ${path} (method ${verb}) ` +
      `(authenticated: ${isAuthenticated}) denied by rule '${ruleName}'.`,
  };
}

function subjectOf(identity: Identity): Subject | undefined {
  if (identity.kind !== 'certificate') return undefined;
  return {
    certname: identity.certname,
    dnsAltNames: identity.dnsAltNames ?? [],
    extensions: identity.extensions,
  };
}
