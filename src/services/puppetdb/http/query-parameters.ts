/** The parameters of a query, from the URL of a GET or from the JSON of a POST. */

import { parseClauseText } from '../pql/root-query.ts';
import { type Clause, isClause, isTooDeep, type Json, printed } from '../query/ast.ts';
import { clojureText } from '../query/clojure-text.ts';
import { parseFirstJson, parseQueryJson } from '../query/json-mistake.ts';
import type { Order, Paging } from '../query/paging.ts';
import { QueryError, tooDeep } from '../query/query-error.ts';
import type { QueryCall } from './query-call.ts';

export type Parameters = ReadonlyMap<string, Json>;

/** What an endpoint understands. */
export interface ParameterNames {
  readonly required?: readonly string[];
  readonly optional: readonly string[];
}

/** What is understood where one thing is answered that has no rows to choose from. */
export const singleNames: readonly string[] = [
  'optimize_drop_unused_joins',
  'include_facts_expiration',
  'include_package_inventory',
  'explain',
  'origin',
  'pretty',
];

export const rowNames: readonly string[] = [
  ...singleNames,
  'query',
  'limit',
  'offset',
  'order_by',
  'include_total',
];

/**
 * Reads and checks all of them, in the reference's order: who sends several mistakes is told of the first.
 *
 * @param readQuery - of a text; JSON when absent
 * @throws QueryError in the reference's words
 */
export function readParameters(
  call: QueryCall,
  names: ParameterNames,
  readQuery: (text: string) => Json = parseClauseText,
): Parameters {
  const parameters = call.method === 'POST' ? readBody(call, readQuery) : readSearch(call, readQuery);
  if (Array.from(parameters.values()).some(isTooDeep)) throw tooDeep();
  assertNames(parameters, names);
  readPaging(parameters);
  readExplain(parameters);
  return parameters;
}

/** Of endpoints that know no query: nothing of a body is looked at. */
export function readSingleParameters({ search }: QueryCall): Parameters {
  const parameters: Parameters = new Map(new URLSearchParams(search));
  assertNames(parameters, { optional: singleNames });
  return parameters;
}

function readSearch({ search }: QueryCall, readQuery: (text: string) => Json): Map<string, Json> {
  const parameters = new Map<string, Json>(new URLSearchParams(search));
  const [query, order, filter] = ['query', 'order_by', 'counts_filter'].map((name) => parameters.get(name));
  if (query !== undefined) parameters.set('query', readQuery(printed(query)));
  if (order !== undefined) parameters.set('order_by', readOrderText(printed(order)));
  if (filter !== undefined) parameters.set('counts_filter', readText(printed(filter)));
  return parameters;
}

function readBody({ body }: QueryCall, readQuery: (text: string) => Json): Map<string, Json> {
  const text = Buffer.from(body ?? []).toString('utf8');
  const value: unknown = text.trim() === '' ? null : parseFirstJson(text);
  if (typeof value !== 'object' || isClause(value)) throw new QueryError('The body must be a JSON object');
  const parameters = new Map<string, Json>(Object.entries(value ?? {}) as [string, Json][]);
  const query = parameters.get('query') ?? null;
  // It is there in any case: where it is missing, the query is null.
  parameters.set('query', typeof query === 'string' ? readQuery(query) : query);
  return parameters;
}

/** Nothing when there is no text. */
function readText(text: string): Json {
  return text.trim() === '' ? null : (parseQueryJson(text) as Json);
}

function readOrderText(text: string): Json {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // What is wrong with it is not said.
    throw new QueryError(`Illegal value '${text}' for :order_by; expected a JSON array of maps.`);
  }
}

function assertNames(parameters: Parameters, { required = [], optional }: ParameterNames): void {
  const missing = required.find((name) => !parameters.has(name));
  if (missing !== undefined) throw new QueryError(`Missing required query parameter '${missing}'`);
  const unknown = [...parameters.keys()].find((name) => !required.includes(name) && !optional.includes(name));
  if (unknown !== undefined) throw new QueryError(`Unsupported query parameter '${unknown}'`);
}

/** A condition in prefix form; `undefined` when there is none. */
export function readClause(parameters: Parameters, name: string): Clause | undefined {
  const value = parameters.get(name) ?? null;
  if (value === null) return undefined;
  if (isClause(value)) return value;
  throw new QueryError(`The ${name} must be a JSON array`);
}

/** @throws QueryError in the reference's words */
export function readPaging(parameters: Parameters): Paging {
  const [limit, offset, order] = ['limit', 'offset', 'order_by'].map((name) => parameters.get(name) ?? null);
  const orderBy = readOrder(order ?? null);
  return {
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(limit === null ? {} : { limit: wholeNumber('limit', limit, 1, 'a positive non-zero') }),
    ...(offset === null ? {} : { offset: wholeNumber('offset', offset, 0, 'a non-negative') }),
  };
}

/** @throws QueryError for anything but the one way in which queries can be explained */
export function readExplain(parameters: Parameters): boolean {
  const value = parameters.get('explain') ?? null;
  if (value === null || value === 'analyze') return value !== null;
  throw new QueryError(`Illegal value '${clojureText(value)}' for :explain; expected \`analyze\`.`);
}

export function readFlag(parameters: Parameters, name: string): boolean {
  const value = parameters.get(name);
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** What the reference's numbers of rows fit into. */
const mostRows = 2 ** 31 - 1;

function wholeNumber(name: string, value: Json | undefined, least: number, kind: string): number {
  const text = printed(value);
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= mostRows) return number;
  throw new QueryError(`Illegal value '${text}' for :${name}; expected ${kind} integer.`);
}

function readOrder(value: Json): readonly Order[] | undefined {
  if (value === null || isEmpty(value)) return undefined;
  const items = maps(value);
  const strange = items.find((item) => strangeKey(item) !== undefined);
  if (strange !== undefined) {
    throw illegal(strange, `unknown key '${strangeKey(strange)}'.`);
  }
  const nameless = items.find((item) => !Object.hasOwn(item, 'field'));
  if (nameless !== undefined) throw illegal(nameless, 'missing required key field.');
  return items.map((item) => {
    const direction = printed(item['order'] ?? 'asc').toLowerCase();
    if (direction !== 'asc' && direction !== 'desc') {
      throw illegal(item, "'order' must be either 'asc' or 'desc'");
    }
    return { field: printed(item['field']), isDescending: direction === 'desc' };
  });
}

type Member = Readonly<Record<string, Json>>;

function maps(value: Json): readonly Member[] {
  const kind = typeof value === 'number' ? 'Integer' : 'Boolean';
  if (typeof value === 'number' || typeof value === 'boolean') {
    throw new QueryError(`Don't know how to create ISeq from: java.lang.${kind}`);
  }
  if (isClause(value) && value.every(isMap)) return value;
  throw new QueryError(`Illegal value '${clojureText(value)}' for :order_by; expected an array of maps.`);
}

function isMap(value: Json): value is Member {
  return typeof value === 'object' && value !== null && !isClause(value);
}

function isEmpty(value: Json): boolean {
  if (typeof value === 'string') return value === '';
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function strangeKey(item: Member): string | undefined {
  return Object.keys(item).find((key) => key !== 'field' && key !== 'order');
}

function illegal(item: Member, reason: string): QueryError {
  return new QueryError(`Illegal value '${clojureText(item)}' in :order_by; ${reason}`);
}
