/** `limit`, `offset` and `order_by`, of a URL or of a query. */

import { type Clause, isClause, type Json, printed } from './ast.ts';
import { type Entity, findColumn } from './entity.ts';
import { dottedAccess } from './field.ts';
import { type Fragment, fragment, joined, raw } from './fragment.ts';
import { QueryError } from './query-error.ts';

export interface Order {
  readonly field: string;
  readonly isDescending: boolean;
}

export interface Paging {
  readonly limit?: number;
  readonly offset?: number;
  readonly orderBy?: readonly Order[];
}

const pagingOperators = new Set(['limit', 'offset', 'order_by']);

export function isPagingClause(clause: Json): clause is Clause {
  return isClause(clause) && typeof clause[0] === 'string' && pagingOperators.has(clause[0]);
}

/** Reads `["limit", 1]`, `["offset", 1]`, `["order_by", ["certname", ["name", "desc"]]]`. */
export function readPagingClauses(clauses: readonly Clause[]): Paging {
  const seen = new Set<string>();
  let paging: Paging = {};
  for (const [operator, argument] of clauses) {
    const name = printed(operator);
    if (seen.has(name)) throw new QueryError(`Multiple '${name}' clauses are not permitted`);
    seen.add(name);
    if (name === 'order_by') paging = { ...paging, orderBy: readOrder(argument) };
    else paging = { ...paging, [name]: wholeNumber(name, argument) };
  }
  return paging;
}

function readOrder(argument: Json | undefined): readonly Order[] {
  if (!isClause(argument)) throw new QueryError(`Illegal value '${printed(argument)}' for :order_by`);
  return argument.map((item) => {
    const [field, order] = isClause(item) ? item : [item, 'asc'];
    return { field: printed(field), isDescending: printed(order).toLowerCase() === 'desc' };
  });
}

/** What databases count with. */
export const mostRows = Number.MAX_SAFE_INTEGER;

function wholeNumber(name: string, value: Json | undefined): number {
  if (typeof value === 'number' && value > mostRows) throw new QueryError('ERROR: bigint out of range', 500);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new QueryError(`Illegal value '${printed(value)}' for :${name}; expected a non-negative integer.`);
}

/**
 * ` order by ... limit ... offset ...`
 *
 * @param selected - keys of the answer's columns: what is answered is sorted by its place, also where rows are grouped
 */
export function pagingSql(
  entity: Entity,
  paging: Paging,
  noLimit: string,
  selected: readonly string[] = [],
): Fragment {
  const parts: Fragment[] = [];
  if (paging.orderBy !== undefined && paging.orderBy.length > 0) {
    const orders = paging.orderBy.map((order) => orderSql(entity, order, selected));
    parts.push(fragment` order by ${joined(orders, ', ')}`);
  }
  if (paging.limit !== undefined) parts.push(raw(` limit ${paging.limit}`));
  if (paging.offset !== undefined && paging.offset > 0) {
    parts.push(raw(` ${paging.limit === undefined ? noLimit : ''} offset ${paging.offset}`));
  }
  return joined(parts, '');
}

/** @throws QueryError naming what can be sorted by */
export function checkOrder(entity: Entity, { orderBy = [] }: Paging): void {
  const columns = entity.columns.filter(({ isQueryable }) => isQueryable !== false);
  const unknown = orderBy.find(({ field }) => !columns.some(({ name }) => name === field));
  if (unknown !== undefined) throw unsortable(entity, unknown.field);
}

function unsortable({ columns }: Entity, field: string): QueryError {
  const names = columns.filter(({ isQueryable }) => isQueryable !== false).map(({ name }) => `'${name}'`);
  return new QueryError(
    `Unrecognized column '${field}' specified in :order_by; Supported columns are ${names.join(', ')}`,
  );
}

/** PostgreSQL sorts nulls after everything. */
function orderSql(entity: Entity, { field, isDescending }: Order, selected: readonly string[]): Fragment {
  const column = findColumn(entity, field);
  const direction = raw(isDescending ? 'desc nulls first' : 'asc nulls last');
  const place = selected.indexOf(field);
  if (column?.kind === 'path') return fragment`rtrim(${raw(column.sql)}, ']') ${direction}`;
  if (column?.sortSql !== undefined) return fragment`${raw(column.sortSql)} ${direction}`;
  if (column !== undefined && column.isSortable !== false) {
    return fragment`${raw(place < 0 ? column.sql : String(place + 1))} ${direction}`;
  }
  const access = field.includes('.') ? dottedAccess(entity, field) : undefined;
  if (access !== undefined) {
    return fragment`${place < 0 ? access.value : raw(String(place + 1))} ${direction}`;
  }
  throw unsortable(entity, field);
}
