/** From a query to SQL and the form of its answer. */

import { type Clause, isClause, type Json, nameIn, printed } from './ast.ts';
import { checkFields } from './check-fields.ts';
import { checkOperators, emptyClause } from './check-operators.ts';
import { checkSubqueries } from './check-subqueries.ts';
import { demands } from './demands.ts';
import type { QueryDialect } from './dialect.ts';
import { type Entity, findColumn, labelOf, returnedColumns } from './entity.ts';
import { dottedAccess } from './field.ts';
import { chained, type Fragment, fragment, joined, raw } from './fragment.ts';
import { queryFunctions } from './functions/index.ts';
import { mentionsNodeState, nodeState } from './node-state.ts';
import { type OperatorContext, operators } from './operators/index.ts';
import { checkOrder, type Paging, pagingSql, readPagingClauses } from './paging.ts';
import { notAnOperator, QueryError, quotedList } from './query-error.ts';
import type { ResultColumn } from './result-column.ts';

export interface CompiledQuery {
  readonly sql: Fragment;
  /** Counts the rows that there were without `limit` and `offset`. */
  readonly countSql: Fragment;
  readonly columns: readonly ResultColumn[];
  /** Rows are answered as values of the column that has this key, whatever else is asked for. */
  readonly bareColumn?: string;
}

export interface QueryRequest {
  readonly entity: Entity;
  readonly query: Clause | undefined;
  readonly paging: Paging;
  /** Conditions of the path: `/nodes/<certname>/facts`. */
  readonly conditions?: readonly Clause[];
  /** Leaves out nodes that are not active even where the entity shows them (`reports`), as the root does. */
  readonly isActiveOnly?: boolean;
  /** Leaves none out even where the entity does. */
  readonly isOfAnyNode?: boolean;
}

interface Parts {
  readonly columns: readonly ResultColumn[];
  /** All of them hold. */
  readonly conditions: readonly Fragment[];
  readonly groupBy: readonly Fragment[];
  /** Instead of the entity's. */
  readonly source?: Fragment;
}

export class QueryCompiler {
  private readonly entities: ReadonlyMap<string, Entity>;
  private readonly dialect: QueryDialect;

  constructor(entities: ReadonlyMap<string, Entity>, dialect: QueryDialect) {
    this.entities = entities;
    this.dialect = dialect;
  }

  /** @throws QueryError saying what is wrong with the query */
  compile(request: QueryRequest): CompiledQuery {
    const { entity, paging, conditions = [] } = request;
    checkOrder(entity, paging);
    const query = request.query && this.checked(entity, request.query);
    const isRestricted = isRestrictedToActive(request);
    if (isEmptyQuery(query) && (isRestricted || conditions.length > 0)) throw emptyClause();
    for (const clause of conditions) this.checked(entity, clause);
    const parts = this.parts(entity, query);
    const more = conditions.map((clause) => this.condition(entity, clause));
    if (isRestricted) more.push(nodeState(entity, 'active'));
    more.push(...defaultOf(entity, query));
    const select = this.select(entity, parts, more, paging);
    const isNarrow = entity.narrowedBy !== undefined && demands(query, entity.narrowedBy);
    const sql = isLate(entity, parts, paging)
      ? this.late(entity, parts, more, paging)
      : this.paged(isNarrow ? sortedWithoutIndex(entity) : entity, parts, more, paging);
    return {
      sql,
      countSql: fragment`select count(*) as c0 from (${select}) counted`,
      columns: parts.columns,
      ...(entity.bareColumn === undefined ? {} : { bareColumn: entity.bareColumn }),
    };
  }

  /**
   * Says what is wrong with a query before anything is made of it.
   *
   * @returns the same, its operators in lower case
   */
  checked(entity: Entity, query: Clause): Clause {
    const find = (name: string): Entity | undefined => {
      const found = this.entities.get(name);
      return found?.bareColumn === undefined ? found : undefined;
    };
    checkSubqueries(query);
    const checked = checkFields(entity, query, find);
    checkOperators(entity, checked, find);
    return isClause(checked) ? checked : query;
  }

  paging(entity: Entity, paging: Paging): Fragment {
    return pagingSql(entity, paging, this.dialect.noLimit);
  }

  /** @throws QueryError when the query is no condition */
  condition(entity: Entity, clause: unknown): Fragment {
    if (!isClause(clause)) throw notAnOperator();
    const operator = operators.get(nameIn(clause[0]));
    if (operator === undefined) throw notAnOperator();
    return operator(clause, this.context(entity));
  }

  /** As `condition`, in parts that all hold. */
  conditions(entity: Entity, clause: Json): readonly Fragment[] {
    if (!isClause(clause) || clause[0] !== 'and' || clause.length === 1)
      return [this.condition(entity, clause)];
    return clause.slice(1).flatMap((part) => this.conditions(entity, part));
  }

  /**
   * Finds the rows that are answered first: some databases would make all columns of all rows to sort them, or those of the rows
   * that `offset` leaves out.
   */
  private late(entity: Entity, parts: Parts, more: readonly Fragment[], paging: Paging): Fragment {
    const { noLimit } = this.dialect;
    const key = raw(entity.rowKey ?? '');
    const found = this.select(entity, { ...parts, columns: [{ key: '', kind: 'integer', sql: key }] }, more);
    const paged = this.dialect.amongFew(key, fragment`${found}${pagingSql(entity, paging, noLimit)}`);
    const { limit: _limit, offset: _offset, ...order } = paging;
    const keys = parts.columns.map((column) => column.key);
    const rows = this.select(entity, { ...parts, conditions: [] }, [paged]);
    return fragment`${rows}${pagingSql(sortedWithoutIndex(entity), order, noLimit, keys)}`;
  }

  private paged(entity: Entity, parts: Parts, more: readonly Fragment[], paging: Paging): Fragment {
    const { noLimit } = this.dialect;
    if (entity.isDistinct !== true || paging.orderBy === undefined) {
      const keys = parts.columns.map(({ key }) => key);
      return fragment`${this.select(entity, parts, more, paging)}${pagingSql(entity, paging, noLimit, keys)}`;
    }
    // What is distinct is sorted by what is selected: what it is sorted by is selected as well, and makes rows distinct.
    const columns = [...parts.columns, ...sortedBesides(entity, parts, paging)];
    const select = this.select(entity, { ...parts, columns }, more);
    const found = entity.columns.map((column) => {
      const place = columns.findIndex(({ key }) => key === column.name);
      return place < 0 ? { ...column, isSortable: false } : { ...column, sql: `found.c${place}` };
    });
    const answered = raw(parts.columns.map((_, index) => `c${index}`).join(', '));
    const outer = { ...entity, columns: found };
    return fragment`select ${answered} from (${select}) found${pagingSql(outer, paging, noLimit)}`;
  }

  private parts(entity: Entity, query: Clause | undefined): Parts {
    if (query === undefined || query.length === 0) return this.all(entity, undefined);
    if (query[0] !== 'extract') return this.all(entity, query);
    return this.extract(entity, query);
  }

  private all(entity: Entity, query: Clause | undefined): Parts {
    const columns = returnedColumns(entity).map(({ name, kind, sql, inOrder }) => ({
      key: name,
      kind,
      sql: raw(sql),
      inOrder,
    }));
    const conditions = query === undefined ? [] : this.conditions(entity, query);
    return { columns, conditions, groupBy: [] };
  }

  private extract(entity: Entity, query: Clause): Parts {
    const [, fields, ...rest] = query;
    if (fields === undefined) throw notAnOperator();
    const names = isClause(fields) && fields[0] !== 'function' ? fields : [fields];
    const grouping = rest.find((clause) => isClause(clause) && clause[0] === 'group_by');
    const [condition] = rest.filter((clause) => clause !== grouping);
    const conditions = condition === undefined ? [] : this.conditions(entity, condition);
    if (names.length === 0) return { ...this.all(entity, undefined), conditions };
    const groups = isClause(grouping) ? grouping.slice(1) : [];
    if (entity.isDistinct === true && (groups.length > 0 || names.some(isClause))) {
      return this.summed(entity, names, groups, conditions);
    }
    const columns = names.map((name) => this.extracted(entity, name));
    return {
      columns,
      conditions,
      groupBy: groups.map((name) => this.grouped(entity, name, names)),
    };
  }

  /** Functions of an entity whose rows are distinct count what is distinct. */
  private summed(
    entity: Entity,
    names: readonly Json[],
    groups: readonly Json[],
    conditions: readonly Fragment[],
  ): Parts {
    const returned = returnedColumns(entity);
    const selected = returned.map(({ name, sql }) => raw(`${sql} as ${name}`));
    const where = whereAll(conditions);
    const source = fragment`(select distinct ${joined(selected, ', ')} from ${raw(entity.source)}${where}) found`;
    const outer = {
      ...entity,
      columns: returned.map((column) => ({ ...column, sql: `found.${column.name}` })),
    };
    return {
      columns: names.map((name) => this.extracted(outer, name)),
      conditions: [],
      groupBy: groups.map((name) => this.grouped(outer, name, names)),
      source,
    };
  }

  /** What is answered is named by its place: its values are bound once then, and the database sees that it is the same. */
  private grouped(entity: Entity, name: Json, names: readonly Json[]): Fragment {
    const place = names.findIndex((each) => JSON.stringify(each) === JSON.stringify(name));
    return place < 0 ? this.extracted(entity, name).sql : raw(String(place + 1));
  }

  private extracted(entity: Entity, name: Json): ResultColumn {
    if (isClause(name)) return this.function(entity, name);
    const key = printed(name);
    const column = findColumn(entity, key);
    if (column !== undefined && column.isReturned !== false) {
      return { key, kind: column.kind, sql: raw(column.sql), inOrder: column.inOrder };
    }
    const access = key.includes('.') ? dottedAccess(entity, key) : undefined;
    if (access !== undefined) {
      if (/\[\d+\](\.|$)/.test(key)) {
        throw new QueryError('No matching clause: :puppetlabs.puppetdb.query-eng.parse/indexed-field-part');
      }
      return { key, kind: 'json', sql: access.value };
    }
    throw new QueryError(
      `Can't extract unknown '${labelOf(entity)}' field '${key}'. Acceptable fields are ` +
        quotedList(returnedColumns(entity).map((each) => each.name)),
    );
  }

  private function(entity: Entity, clause: Clause): ResultColumn {
    const [operator, name, ...args] = clause;
    const found = operator === 'function' ? queryFunctions.get(printed(name)) : undefined;
    if (found === undefined) throw new QueryError(`Unsupported function '${printed(name)}'`);
    return { key: printed(name), ...found(args, entity, this.dialect), isComputed: true };
  }

  /** @param paging - of an answer; absent where nothing is sorted */
  private select(entity: Entity, parts: Parts, more: readonly Fragment[], paging?: Paging): Fragment {
    const columns = parts.columns.map(({ sql }, index) => fragment`${sql} as ${raw(`c${index}`)}`);
    const conditions = [
      ...(entity.condition === undefined ? [] : [raw(entity.condition)]),
      ...parts.conditions,
      ...more,
    ];
    const weighed = weighedSelect(entity, parts, conditions, paging);
    if (weighed !== undefined) return weighed;
    const where = whereAll(conditions);
    const { counted } = entity;
    if (counted !== undefined && isBareCount(parts) && !counted.beyond.test(where.parts.join(' '))) {
      return fragment`select ${raw(counted.sum)} as c0 from ${raw(counted.source)}${where}`;
    }
    const group = parts.groupBy.length === 0 ? raw('') : fragment` group by ${joined(parts.groupBy, ', ')}`;
    const distinct = raw(entity.isDistinct === true && !hasFunction(parts) ? 'distinct ' : '');
    return fragment`select ${distinct}${joined(columns, ', ')} from ${parts.source ?? raw(entity.source)}${where}${group}`;
  }

  private context(entity: Entity): OperatorContext {
    return {
      entity,
      dialect: this.dialect,
      condition: (clause) => this.condition(entity, clause),
      entityNamed: (name) => this.entities.get(name),
      selection: (name, query, pagingClauses) => {
        const other = this.entities.get(name);
        if (other === undefined) throw new QueryError(`Invalid entity '${name}' in query`);
        const parts = this.parts(other, query);
        const paging = readPagingClauses(pagingClauses);
        return {
          sql: this.paged(other, parts, defaultOf(other, query), paging),
          columns: parts.columns.length,
        };
      },
    };
  }
}

function isRestrictedToActive({
  entity,
  query,
  isActiveOnly = false,
  isOfAnyNode = false,
}: QueryRequest): boolean {
  if (entity.nodeAlias === undefined || isOfAnyNode) return false;
  if (!isActiveOnly && entity.isActiveOnly !== true) return false;
  return query === undefined || !mentionsNodeState(query);
}

/** `[]`, also where something is extracted of it. */
function isEmptyQuery(query: Clause | undefined): boolean {
  if (query === undefined) return false;
  if (query.length === 0) return true;
  const [operator, , condition] = query;
  return operator === 'extract' && isClause(condition) && condition.length === 0;
}

function isLate(entity: Entity, parts: Parts, { limit, orderBy = [] }: Paging): boolean {
  if (entity.rowKey === undefined || limit === undefined || orderBy.length === 0) return false;
  return !hasFunction(parts) && parts.columns.some(({ kind }) => kind === 'json');
}

/** Columns that are not answered, but sorted by. Where rows are summed up there are none. */
function sortedBesides(entity: Entity, parts: Parts, { orderBy = [] }: Paging): readonly ResultColumn[] {
  if (hasFunction(parts)) return [];
  return orderBy.flatMap(({ field }) => {
    const column = findColumn(entity, field);
    const isAnswered = parts.columns.some(({ key }) => key === field);
    if (isAnswered || column === undefined || column.isSortable === false) return [];
    return [{ key: field, kind: column.kind, sql: raw(column.sql) }];
  });
}

const countOfRows = 'count(*)';

/** @returns `undefined` where more is asked for than how many rows there are, by columns or in all */
function weighedSelect(
  entity: Entity,
  { columns, groupBy }: Parts,
  conditions: readonly Fragment[],
  { orderBy = [] }: Paging = {},
): Fragment | undefined {
  const texts = columns.map(({ sql }) => sql.parts.join('?'));
  const fields = texts.filter((text) => text !== countOfRows);
  const grouped = groupBy.map(({ parts }) => texts[Number(parts.join('?')) - 1]);
  const isOfCounts =
    fields.length < texts.length &&
    fields.length === grouped.length &&
    fields.every((field) => grouped.includes(field)) &&
    orderBy.every(({ field }) => columns.some(({ key }) => key === field));
  const weighed = isOfCounts ? entity.weighed?.(conditions, fields) : undefined;
  if (weighed === undefined) return undefined;
  const sum = `coalesce(sum(${weighed.weight}), 0)`;
  const selected = texts.map((text, index) => `${text === countOfRows ? sum : text} as c${index}`);
  const group = groupBy.length === 0 ? raw('') : fragment` group by ${joined(groupBy, ', ')}`;
  return fragment`select ${raw(selected.join(', '))} from ${weighed.source}${group}`;
}

function whereAll(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? raw('') : fragment` where ${chained(conditions, 'and')}`;
}

function isBareCount({ columns, groupBy }: Parts): boolean {
  return columns.length === 1 && groupBy.length === 0 && columns[0]?.sql.parts.join('?') === countOfRows;
}

function hasFunction({ columns, groupBy }: Parts): boolean {
  return groupBy.length > 0 || columns.some(({ kind }) => kind === 'number');
}

/**
 * What is computed is in the order of no index: no database goes through all rows by one to find those that are known. Measured on
 * PostgreSQL with 4,300 reports: the last 100 take it 13 ms of CPU instead of 36.
 */
function sortedWithoutIndex(entity: Entity): Entity {
  const columns = entity.columns.map((column) => {
    const isIndexed = column.kind === 'timestamp' || column.kind === 'text';
    return isIndexed ? { ...column, sortSql: `${column.sql} || ''` } : column;
  });
  return { ...entity, columns };
}

/** What holds unless the query is about it. */
function defaultOf({ default: usual }: Entity, query: Clause | undefined): readonly Fragment[] {
  return usual === undefined || mentions(query, usual.field) ? [] : [raw(usual.condition)];
}

function mentions(query: Clause | undefined, field: string): boolean {
  if (query === undefined) return false;
  return query.some((part) => part === field || (isClause(part) && mentions(part, field)));
}
