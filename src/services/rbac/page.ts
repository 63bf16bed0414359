/** Lists that clients read in pages. */

import { countParameter } from '../../platform/http/index.ts';
import type { PaginationAnswer } from './answers/wire.ts';
import { rbacError } from './rbac-error.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** As it is written into answers. */
  readonly pagination: PaginationAnswer;
}

interface PageRules<T> {
  /** What a list may be ordered by, the default first. */
  readonly orderBy: Readonly<Record<string, (item: T) => string | number>>;
  /** What `filter` looks at; without it the parameter is refused. */
  readonly text?: (item: T) => string;
  readonly defaultLimit: number;
}

/**
 * The part of a list that `offset`, `limit`, `order`, `order_by` and `filter` ask for.
 *
 * @throws ServiceError `bad-request` naming the parameter
 */
export function pageOf<T>(items: readonly T[], query: URLSearchParams, rules: PageRules<T>): Page<T> {
  const [defaultOrder = ''] = Object.keys(rules.orderBy);
  const orderBy = query.get('order_by') ?? defaultOrder;
  const order = query.get('order') ?? 'asc';
  const filter = query.get('filter') ?? '';
  const offset = count(query, 'offset', 0);
  const limit = count(query, 'limit', rules.defaultLimit);
  const key = Object.hasOwn(rules.orderBy, orderBy) ? rules.orderBy[orderBy] : undefined;
  if (key === undefined) throw wrong('order_by', orderBy, Object.keys(rules.orderBy).join(', '));
  if (order !== 'asc' && order !== 'desc') throw wrong('order', order, 'asc, desc');
  const wanted = filter.toLowerCase();
  const matching = items.filter((item) => (rules.text?.(item) ?? '').toLowerCase().includes(wanted));
  const sorted = matching.toSorted((a, b) => compare(key(a), key(b)));
  if (order === 'desc') sorted.reverse();
  return {
    items: sorted.slice(offset, offset + limit),
    pagination: {
      limit,
      offset,
      order_by: orderBy,
      order,
      total: matching.length,
      ...(filter === '' ? {} : { filter }),
    },
  };
}

function count(query: URLSearchParams, name: string, otherwise: number): number {
  const refuse = (text: string) => wrong(name, text, 'a number that is not negative');
  return countParameter(query, name, refuse) ?? otherwise;
}

function wrong(name: string, value: string, expected: string) {
  const message = `The query parameter ${name} is '${value}'; expected: ${expected}`;
  return rbacError('bad-request', 'invalid-query-parameter', message);
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
