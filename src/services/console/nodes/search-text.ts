/** What people type to find nodes: words of the certname, and terms like `status:failed` or `fact.os.name=Debian`. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type NodeStatus, nodeStatuses } from '../wire.ts';
import { among, type Condition, hasStatus, otherThan } from './node-condition.ts';
import { type NodeEntry, statusOf } from './node-entry.ts';

/** One part of a search. All parts have to hold. */
export interface SearchTerm {
  /** As it was typed. */
  readonly text: string;
  readonly condition: Condition;
  /** Decides by what the index knows; PuppetDB is asked for the condition where it is absent. */
  readonly matches?: (entry: NodeEntry) => boolean;
}

/** Of fact names, as PuppetDB's dotted paths take them without quotes. */
const factPath = /^[\w-]+(\.[\w-]+)*$/;

/**
 * @param cutoffMs - a node whose last report is older is unresponsive
 * @throws ServiceError `bad-request` naming the term
 */
export function readSearch(search: string, cutoffMs: number): readonly SearchTerm[] {
  return termsIn(search).map((text) => {
    const isNegated = text.startsWith('-') && text.length > 1;
    const term = readTerm(isNegated ? text.slice(1) : text, cutoffMs);
    return isNegated ? negated(text, term) : { text, ...term };
  });
}

/** Split at spaces outside of quotes. */
function termsIn(search: string): readonly string[] {
  return search.match(/(?:[^\s"]|"(?:[^"\\]|\\["\\]?)*"?)+/g) ?? [];
}

type Read = Omit<SearchTerm, 'text'>;

function readTerm(term: string, cutoffMs: number): Read {
  const fact = /^(fact|trusted)\.([^=~<>]+)(=|~|>=|<=|>|<)(.*)$/.exec(term);
  if (fact !== null) return factTerm(term, fact);
  const colon = term.indexOf(':');
  if (colon < 0) return nameTerm(unquoted(term));
  const [key, value] = [term.slice(0, colon), unquoted(term.slice(colon + 1))];
  const read = termReaders[key];
  if (read === undefined) {
    const known = [...Object.keys(termReaders).map((name) => `${name}:`), 'fact.NAME='].join(', ');
    throw badTerm(`${key}: is not a known filter; known are ${known}`, term);
  }
  if (value === '') throw badTerm(`${key}: needs a value`, term);
  return read(value, cutoffMs, term);
}

const termReaders: Readonly<Record<string, (value: string, cutoffMs: number, term: string) => Read>> = {
  status(value, cutoffMs, term) {
    if (!isStatus(value))
      throw badTerm(`${value} is not a status; there are ${nodeStatuses.join(', ')}`, term);
    return {
      condition: hasStatus(value, new Date(cutoffMs).toISOString()),
      matches: (entry) => statusOf(entry, cutoffMs) === value,
    };
  },
  certname: (value) => ({
    condition: ['=', 'certname', value],
    matches: ({ certname }) => certname === value,
  }),
  environment: (value) => ({
    condition: ['=', 'report_environment', value],
    matches: (entry) => entry.environment === value,
  }),
  class: (value) => ({
    condition: among('resources', ['and', ['=', 'type', 'Class'], ['=', 'title', capitalized(value)]]),
  }),
  failure: (value) => ({
    condition: among('events', [
      'and',
      ['=', 'latest_report?', true],
      ['=', 'status', 'failure'],
      ['=', 'message', value],
    ]),
  }),
  package: (value) => ({ condition: among('package_inventory', packageCondition(value)) }),
};

/** `openssl`, or `openssl@3.0.17` for one version. */
function packageCondition(text: string): Condition {
  const at = text.lastIndexOf('@');
  if (at <= 0) return ['=', 'package_name', text];
  return ['and', ['=', 'package_name', text.slice(0, at)], ['=', 'version', text.slice(at + 1)]];
}

function nameTerm(word: string): Read {
  const wanted = word.toLowerCase();
  return {
    condition: ['~', 'certname', word.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')],
    matches: ({ certname }) => certname.includes(wanted),
  };
}

/** Numbers and booleans are meant as well as texts that look like them. */
function factTerm(term: string, [, root = '', path = '', operator = '', quoted = '']: RegExpExecArray): Read {
  if (!factPath.test(path)) throw badTerm(`${path} is not the name of a fact`, term);
  const value = unquoted(quoted);
  const field = `${root === 'fact' ? 'facts' : root}.${path}`;
  if (operator === '~') return { condition: among('inventory', ['~', field, value]) };
  const typed = /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? (JSON.parse(value) as unknown) : undefined;
  if (operator !== '=') {
    if (typeof typed !== 'number') throw badTerm(`${operator} needs a number`, term);
    return { condition: among('inventory', [operator, field, typed]) };
  }
  const asText: Condition = ['=', field, value];
  return {
    condition: among('inventory', typed === undefined ? asText : ['or', asText, ['=', field, typed]]),
  };
}

function negated(text: string, { condition, matches }: Read): SearchTerm {
  const opposite = matches && ((entry: NodeEntry) => !matches(entry));
  return { text, condition: otherThan(condition), ...(opposite === undefined ? {} : { matches: opposite }) };
}

function isStatus(text: string): text is NodeStatus {
  return nodeStatuses.some((status) => status === text);
}

/** Within quotes, `\"` and `\\` stand for a quote and a backslash. */
function unquoted(text: string): string {
  return text.replace(/"((?:[^"\\]|\\["\\]?)*)"?/g, (_, inner: string) => inner.replace(/\\(["\\])/g, '$1'));
}

/** Titles of classes have capitals: `apache::mod::ssl` is `Apache::Mod::Ssl`. */
function capitalized(name: string): string {
  const parts = name.replace(/^::/, '').split('::');
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('::');
}

function badTerm(message: string, term: string): ServiceError {
  return new ServiceError('bad-request', message, { kind: 'bunraku.console/bad-term', details: { term } });
}
