/** The parameters of a query, from the URL or from the JSON of a POST. */

import { type Clause, isClause, type Json, printed } from '../query/ast.ts';
import { mostRows, type Order, type Paging } from '../query/paging.ts';
import { QueryError } from '../query/query-error.ts';
import { parseQueryJson } from './json-mistake.ts';
import type { QueryCall } from './query-call.ts';

export type Parameters = ReadonlyMap<string, Json>;

/** What every endpoint understands. */
const commonNames = ['query', 'limit', 'offset', 'order_by', 'include_total', 'pretty', 'origin', 'explain'];

/** @throws QueryError for a body that is no JSON object; @param more - names that the endpoint understands besides */
export function readParameters(call: QueryCall, more: readonly string[]): Parameters {
  const parameters = new Map<string, Json>(new URLSearchParams(call.search));
  if (call.method === 'POST') {
    const body: unknown = parseQueryJson(Buffer.from(call.body ?? []).toString('utf8'));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new QueryError('The body must be a JSON object');
    }
    for (const [name, value] of Object.entries(body)) parameters.set(name, value as Json);
  }
  for (const name of parameters.keys()) {
    if (!commonNames.includes(name) && !more.includes(name)) {
      throw new QueryError(`Unsupported query parameter '${name}'`);
    }
  }
  return parameters;
}

/** A condition in prefix form; `undefined` when there is none. */
export function readClause(parameters: Parameters, name: string): Clause | undefined {
  const value = parameters.get(name);
  const parsed = typeof value === 'string' ? parseQueryJson(value) : value;
  if (parsed === undefined || parsed === null) return undefined;
  if (isClause(parsed)) return parsed;
  throw new QueryError(`The ${name} must be a JSON array`);
}

/** @throws QueryError in the reference's words */
export function readPaging(parameters: Parameters): Paging {
  const [limit, offset, order] = ['limit', 'offset', 'order_by'].map((name) => parameters.get(name));
  return {
    ...(limit === undefined ? {} : { limit: wholeNumber('limit', limit, 1, 'a positive non-zero') }),
    ...(offset === undefined ? {} : { offset: wholeNumber('offset', offset, 0, 'a non-negative') }),
    ...(order === undefined ? {} : { orderBy: readOrder(order) }),
  };
}

export function readFlag(parameters: Parameters, name: string): boolean {
  const value = parameters.get(name);
  return value === true || value === 'true';
}

function wholeNumber(name: string, value: Json, least: number, kind: string): number {
  const text = printed(value);
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= mostRows) return number;
  throw new QueryError(`Illegal value '${text}' for :${name}; expected ${kind} integer.`);
}

function readOrder(value: Json): readonly Order[] {
  const illegal = new QueryError(
    `Illegal value '${printed(value)}' for :order_by; expected a JSON array of maps.`,
  );
  const items = typeof value === 'string' ? parseOr(value, illegal) : value;
  if (!isClause(items)) throw illegal;
  return items.map((item) => {
    if (typeof item !== 'object' || item === null || isClause(item)) throw illegal;
    const { field, order = 'asc' } = item as Readonly<Record<string, Json | undefined>>;
    if (typeof field !== 'string') throw illegal;
    const direction = printed(order).toLowerCase();
    if (direction !== 'asc' && direction !== 'desc') {
      throw new QueryError(
        `Illegal value '{:field ${JSON.stringify(field)}, :order ${JSON.stringify(order)}}' in :order_by; ` +
          "'order' must be either 'asc' or 'desc'",
      );
    }
    return { field, isDescending: direction === 'desc' };
  });
}

function parseOr(text: string, error: QueryError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is wrong with it is said in the caller's words.
    throw error;
  }
}
