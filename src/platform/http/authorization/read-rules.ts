/** `auth.conf` to rules; whatever is wrong with it is said with the file's and the rule's name. */

import { type HoconData, HoconError, parseHocon } from '../../../lib/hocon/index.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Entry, parseNameEntry } from './entry.ts';
import { type PathMatch, pathRegex, type Rule, type RuleAccess, type RuleMethod } from './rule.ts';

type Fields = { readonly [key: string]: HoconData };

export interface Authorization {
  readonly rules: readonly Rule[];
  /** Whether `X-Client-Verify`, `X-Client-DN` and `X-Client-Cert` of a terminating proxy are believed. */
  readonly allowHeaderCertInfo: boolean;
}

/** Combinations in a rule that are refused at the start. */
export class AuthorizationError extends ServiceError {
  constructor(file: string, message: string) {
    super('conflict', `${file}: ${message}`);
    this.name = 'AuthorizationError';
  }
}

const methods: readonly RuleMethod[] = ['delete', 'get', 'head', 'post', 'put'];

/**
 * Reads the text of an `auth.conf`.
 *
 * @param file - its name, for messages
 * @throws AuthorizationError
 * @see trapperkeeper-authorization, "Configuring The Authorization Service"
 */
export function readRules(text: string, file: string): Authorization {
  try {
    return decodeAuthorization(parseHocon(text));
  } catch (error) {
    if (error instanceof RuleProblem || error instanceof HoconError)
      throw new AuthorizationError(file, error.message);
    throw error;
  }
}

class RuleProblem extends Error {}

function decodeAuthorization(data: HoconData): Authorization {
  const section = isFields(data) ? data['authorization'] : undefined;
  if (section === undefined) throw new RuleProblem('Missing authorization service configuration.');
  if (!isFields(section)) throw new RuleProblem('The authorization service configuration is not a map.');
  const headerInfo = section['allow-header-cert-info'] ?? false;
  if (typeof headerInfo !== 'boolean') throw new RuleProblem('allow-header-cert-info is not a boolean.');
  if (section['version'] !== 1) {
    throw new RuleProblem('Unsupported or missing version in configuration file. Supported versions are: 1');
  }
  const list = section['rules'];
  if (!isList(list)) throw new RuleProblem('The authorization service configuration rules is not a list.');
  const rules = list.map(decodeRule);
  refuseDuplicates(rules);
  return { rules, allowHeaderCertInfo: headerInfo };
}

function refuseDuplicates(rules: readonly Rule[]): void {
  const seen = new Set<string>();
  for (const { name } of rules) {
    if (seen.has(name))
      throw new RuleProblem(`Duplicate rules named '${name}'. Rules must be uniquely named.`);
    seen.add(name);
  }
}

function decodeRule(data: HoconData): Rule {
  if (!isFields(data)) throw new RuleProblem('An authorization rule should be specified as a map.');
  const match = data['match-request'];
  if (!isFields(match)) {
    throw new RuleProblem(`${shown(data)}: An authorization rule must contain a 'match-request' section.`);
  }
  requireKeys(match, ['path', 'type'], data);
  requireKeys(data, ['sort-order', 'name'], data);
  const chosenMethods = decodeMethods(match['method'], data);
  const query = decodeQueryParameters(match['query-params'], data);
  const path = decodePath(match, data);
  return {
    name: String(data['name']),
    sortOrder: decodeSortOrder(data),
    path,
    access: decodeAccess(data, path),
    ...(chosenMethods === undefined ? {} : { methods: chosenMethods }),
    ...(query === undefined ? {} : { queryParameters: query }),
  };
}

function requireKeys(fields: Fields, keys: readonly string[], rule: Fields): void {
  const missing = keys.find((key) => fields[key] === undefined || fields[key] === null);
  if (missing !== undefined) {
    throw new RuleProblem(
      `The authorization rule specified as ${shown(rule)} does not contain a '${missing}' key.`,
    );
  }
}

function decodeSortOrder(rule: Fields): number {
  const order = rule['sort-order'];
  if (typeof order === 'number' && Number.isInteger(order) && order >= 1 && order <= 999) return order;
  throw new RuleProblem(
    `The sort-order set in the authorization rule specified as ${shown(rule)} is invalid. It should be a number from 1 to 999.`,
  );
}

function decodePath(match: Fields, rule: Fields): PathMatch {
  const { path, type } = match;
  if (typeof type !== 'string' || !/^(path|regex)$/i.test(type)) {
    throw new RuleProblem(
      `The type set in the authorization rule specified as ${shown(rule)} is invalid. It should be set to either 'path' or 'regex'.`,
    );
  }
  if (typeof path !== 'string') {
    throw new RuleProblem(
      `The path set in the authorization rule specified as ${shown(rule)} is invalid. It should be a string.`,
    );
  }
  if (type.toLowerCase() === 'path') return { kind: 'path', prefix: path };
  try {
    return pathRegex(path);
  } catch (error) {
    throw new RuleProblem(
      `The path regex provided in the rule defined as ${shown(rule)} is invalid: ${(error as Error).message}`,
    );
  }
}

function decodeMethods(value: HoconData | undefined, rule: Fields): readonly RuleMethod[] | undefined {
  if (value === undefined || value === null) return undefined;
  const given: readonly HoconData[] = isList(value) ? value : [value];
  const names = given.map((name) => methods.find((method) => method === String(name).toLowerCase()));
  if (!names.includes(undefined)) return names.filter((name) => name !== undefined);
  throw new RuleProblem(
    `Invalid method in the authorization rule specified as ${shown(rule)}. The method should be a string or ` +
      `list of strings equal to one of the following: '${methods.join("', '")}'`,
  );
}

function decodeQueryParameters(
  value: HoconData | undefined,
  rule: Fields,
): ReadonlyMap<string, readonly string[]> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) throw new RuleProblem(`${shown(rule)}: Rule query-params must be a map.`);
  return new Map(
    Object.entries(value).map(([name, wanted]) => [name, decodeQueryValues(name, wanted, rule)]),
  );
}

function decodeQueryValues(name: string, wanted: HoconData, rule: Fields): readonly string[] {
  const values: readonly HoconData[] = isList(wanted) ? wanted : [wanted];
  if (values.every((value) => typeof value === 'string')) return values;
  throw new RuleProblem(
    `The query-param value for '${name}' in the rule specified as ${shown(rule)} is invalid. ` +
      'It should be a string or list of strings.',
  );
}

function decodeAccess(rule: Fields, path: PathMatch): RuleAccess {
  const hasEntries = rule['allow'] !== undefined || rule['deny'] !== undefined;
  if (rule['allow-unauthenticated'] === true) {
    if (!hasEntries) return { kind: 'unauthenticated' };
    throw new RuleProblem(
      `Authorization rule specified as ${shown(rule)} cannot have allow or deny if allow-unauthenticated.`,
    );
  }
  if (!hasEntries) {
    throw new RuleProblem(
      `Authorization rule specified as ${shown(rule)} must contain either a 'deny' or 'allow' rule.`,
    );
  }
  const access = { deny: decodeEntries('deny', rule), allow: decodeEntries('allow', rule) };
  refuseUnknownCaptures('allow', access.allow, path, rule);
  refuseUnknownCaptures('deny', access.deny, path, rule);
  return { kind: 'entries', ...access };
}

function decodeEntries(field: 'allow' | 'deny', rule: Fields): readonly Entry[] {
  const value = rule[field];
  if (value === undefined) return [];
  const list: readonly HoconData[] = isList(value) ? value : [value];
  return list.map((item) => decodeEntry(field, item, rule));
}

function decodeEntry(field: 'allow' | 'deny', item: HoconData, rule: Fields): Entry {
  if (typeof item === 'string') return decodeName(item, rule);
  if (!isFields(item)) {
    throw new RuleProblem(
      `The ${field} list in the rule specified as ${shown(rule)} contains one or more ACEs that are not maps or strings.`,
    );
  }
  const { certname, extensions, rbac } = item;
  const given = [certname, extensions, rbac].filter((part) => part !== undefined);
  if (given.length !== 1) {
    throw new RuleProblem(
      `ACL Definition must contain exactly one of 'certname' or 'extensions' or 'rbac' keys; got '${JSON.stringify(item)}' in ${shown(rule)}`,
    );
  }
  if (certname !== undefined) return decodeCertname(certname, rule);
  return extensions === undefined ? decodePermission(field, rbac, rule) : decodeExtensions(extensions, rule);
}

function decodeCertname(value: HoconData, rule: Fields): Entry {
  if (typeof value === 'string') return decodeName(value, rule);
  throw new RuleProblem(
    `certname key should map to a string; got '${JSON.stringify(value)}' in ${shown(rule)}`,
  );
}

function decodeName(text: string, rule: Fields): Entry {
  let entry: Entry | undefined;
  try {
    entry = parseNameEntry(text);
  } catch (error) {
    throw new RuleProblem(`invalid domain value: ${text} in ${shown(rule)}: ${(error as Error).message}`);
  }
  if (entry === undefined) throw new RuleProblem(`invalid domain value: ${text} in ${shown(rule)}`);
  return entry;
}

function decodeExtensions(value: HoconData, rule: Fields): Entry {
  const entries = isFields(value) ? Object.entries(value) : [];
  const required = new Map(
    entries.map(([name, wanted]): [string, readonly string[]] => [
      name,
      (isList(wanted) ? wanted : [wanted]).filter((item) => typeof item === 'string'),
    ]),
  );
  if (entries.length > 0 && !Array.from(required.values()).some((values) => values.length === 0)) {
    return { kind: 'extensions', required };
  }
  throw new RuleProblem(
    `extensions key should map an extension to a value or list of values; got ${JSON.stringify(value)} in ${shown(rule)}`,
  );
}

function decodePermission(field: 'allow' | 'deny', value: HoconData | undefined, rule: Fields): Entry {
  const permission = isFields(value) ? value['permission'] : undefined;
  if (typeof permission !== 'string' || permission.split(':').length !== 3) {
    throw new RuleProblem(
      `permission key should map to a string of form 'object_type:action:instance'; got '${JSON.stringify(value)}' in ${shown(rule)}`,
    );
  }
  if (field === 'allow') return { kind: 'permission', permission };
  throw new RuleProblem(`RBAC permissions cannot be used to deny access. Permission: '${permission}'`);
}

function refuseUnknownCaptures(
  field: string,
  entries: readonly Entry[],
  path: PathMatch,
  rule: Fields,
): void {
  const known = path.kind === 'regex' ? captureCount(path.pattern.regExp) : 0;
  for (const entry of entries) {
    if (entry.kind !== 'backreference') continue;
    const numbers = Array.from(entry.template.matchAll(/\$(\d+)/g), (match) => Number(match[1]));
    const wrong = numbers.find((number) => number === 0 || number > known);
    if (wrong === undefined) continue;
    throw new RuleProblem(
      `The ${field} field provided in the rule specified as ${shown(rule)} contains the back reference ` +
        `'$${wrong}' which refers to a capture group in the regex that doesn't exist.`,
    );
  }
}

function captureCount(pattern: RegExp): number {
  return (new RegExp(`${pattern.source}|`).exec('')?.length ?? 1) - 1;
}

function shown(rule: Fields): string {
  const name = rule['name'];
  return typeof name === 'string' ? `'${name}'` : JSON.stringify(rule);
}

function isList(value: HoconData | undefined): value is readonly HoconData[] {
  return Array.isArray(value);
}

function isFields(value: HoconData | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
