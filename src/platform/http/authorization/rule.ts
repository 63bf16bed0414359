/** One authorisation rule: which requests it is about, and whom it lets through. */

import { compareCodePoints } from '../../../lib/code-point-order.ts';
import type { LinearPattern } from '../../../lib/posix-pattern/index.ts';
import { compilePattern, type Entry, entryMatches, type Subject } from './entry.ts';

export type RuleMethod = 'get' | 'post' | 'put' | 'delete' | 'head';

export interface Rule {
  readonly name: string;
  /** 1 to 999; lower ones are asked first, equal ones in the order of their names. */
  readonly sortOrder: number;
  readonly path: PathMatch;
  /** Any method when absent. */
  readonly methods?: readonly RuleMethod[];
  /** Each must be present in the query with one of the values. */
  readonly queryParameters?: ReadonlyMap<string, readonly string[]>;
  readonly access: RuleAccess;
}

/** `path` matches what begins with it, `regex` what it is found in. */
export type PathMatch =
  | { readonly kind: 'path'; readonly prefix: string }
  | { readonly kind: 'regex'; readonly pattern: LinearPattern };

export type RuleAccess =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'entries'; readonly deny: readonly Entry[]; readonly allow: readonly Entry[] };

/** What rules look at. */
export interface RuleRequest {
  readonly method: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export function pathRegex(source: string): PathMatch {
  return { kind: 'regex', pattern: compilePattern(source) };
}

/** @returns the captures of the path when the rule is about the request, else `undefined` */
export function matchRule(rule: Rule, request: RuleRequest): readonly (string | undefined)[] | undefined {
  if (rule.methods !== undefined && !rule.methods.some((method) => method === request.method.toLowerCase())) {
    return undefined;
  }
  if (rule.queryParameters !== undefined && !queryMatches(rule.queryParameters, request.query))
    return undefined;
  if (rule.path.kind === 'path') return request.path.startsWith(rule.path.prefix) ? [] : undefined;
  return rule.path.pattern.exec(request.path)?.slice(1);
}

/** Denials come first, then permissions, each in the order written; who is in neither is refused. */
export function ruleAllows(
  rule: Rule,
  subject: Subject | undefined,
  captures: readonly (string | undefined)[],
): boolean {
  if (rule.access.kind === 'unauthenticated') return true;
  if (subject === undefined) return false;
  const { deny, allow } = rule.access;
  if (deny.some((entry) => entryMatches(entry, subject, captures))) return false;
  return allow.some((entry) => entryMatches(entry, subject, captures));
}

/** The order in which rules are asked: by `sort-order`, then by the code points of the name. */
export function sortRules(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted((a, b) => a.sortOrder - b.sortOrder || compareCodePoints(a.name, b.name));
}

function queryMatches(required: ReadonlyMap<string, readonly string[]>, query: URLSearchParams): boolean {
  for (const [name, values] of required) {
    if (!query.getAll(name).some((value) => values.includes(value))) return false;
  }
  return true;
}
