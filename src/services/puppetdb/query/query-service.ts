/** Answers queries, of one entity or of the root. */

import { type DirectDatabase, type RowEncoder, StatementRefused } from '../../../platform/storage/index.ts';
import { type Clause, isClause, isTooDeep, printed } from './ast.ts';
import { type CompiledQuery, QueryCompiler } from './compile-query.ts';
import type { QueryDialect } from './dialect.ts';
import { type DistinctWithin, distinctEvents } from './distinct-events.ts';
import { entitiesOf } from './entities/index.ts';
import { type Entity, type MoreColumns, withColumns } from './entity.ts';
import { countEvents, type EventCountRequest } from './event-counts.ts';
import { explained } from './explain.ts';
import type { Fragment } from './fragment.ts';
import { isPagingClause, type Paging, readPagingClauses } from './paging.ts';
import type { EntityRows, Required } from './query.ts';
import { queryDialectOf } from './query-dialect.ts';
import { NotKnown, QueryError, tooDeep } from './query-error.ts';
import { encodeValue, type ResultColumn, rowEncoder } from './result-column.ts';

export interface Answer {
  /** One JSON text for each row, in parts. The first part has been read: what can be wrong with the query is known. */
  readonly rows: AsyncIterable<readonly string[]>;
  /** How many there are without paging, where that was asked for. */
  readonly total?: number;
}

export type { MoreColumns } from './entity.ts';

export interface AnswerOptions extends MoreColumns {
  readonly includeTotal: boolean;
  /** Answers how the database would go about it. */
  readonly isExplained?: boolean;
}

export interface EntityQuery extends EntityRows, AnswerOptions {
  readonly paging: Paging;
  /** Of events: the last of each kind alone. */
  readonly distinct?: DistinctWithin | undefined;
}

export class QueryService {
  private readonly database: DirectDatabase;
  private readonly dialect: QueryDialect;
  private readonly entities: ReadonlyMap<string, Entity>;
  private readonly compiler: QueryCompiler;

  constructor(database: DirectDatabase) {
    this.database = database;
    this.dialect = queryDialectOf(database);
    this.entities = entitiesOf(this.dialect);
    this.compiler = new QueryCompiler(this.entities, this.dialect);
  }

  /** @throws NotKnown for the first requirement that is missing, QueryError for an invalid query */
  async ask({ entity: path, query, paging, conditions = [], ...options }: EntityQuery): Promise<Answer> {
    await this.require(options.required ?? []);
    const found = this.entities.get(path.replaceAll('-', '_'));
    if (found === undefined) throw new QueryError(`Invalid entity '${path}' in query`);
    const { isOfAnyNode = false, distinct } = options;
    const entity = distinct === undefined ? withColumns(found, options) : distinctEvents(found, distinct);
    const compiled = this.compiler.compile({ entity, query, paging, conditions, isOfAnyNode });
    return await this.answer(compiled, options);
  }

  /** @throws NotKnown for the first that is not there */
  async require(required: readonly Required[]): Promise<void> {
    for (const each of required) await this.get(each, { column: each.field });
  }

  /**
   * @param column - the only one that is wanted; all when absent
   * @returns the thing as JSON
   * @throws NotKnown when it is not there
   */
  async get(
    required: Required,
    { column, more = {} }: { readonly column?: string; readonly more?: MoreColumns } = {},
  ): Promise<string> {
    const { entity, field, value } = required;
    const condition: Clause = ['=', field, value];
    const isOfNode = field === 'certname';
    const query: Clause = isOfNode ? ['and', condition, ['=', 'node_state', 'any']] : condition;
    const { rows } = await this.ask({
      entity,
      query: column === undefined ? query : ['extract', [column], query],
      paging: { limit: 1 },
      includeTotal: false,
      ...more,
    });
    for await (const [row] of rows) if (row !== undefined) return row;
    throw new NotKnown(required);
  }

  /**
   * @param query - `["from", ...]`
   * @param paging - what the query says comes first
   */
  async askRoot(query: Clause, paging: Paging, options: AnswerOptions): Promise<Answer> {
    const { entity: found, inner, clauses } = this.root(query);
    const merged = { ...paging, ...readPagingClauses(clauses) };
    const entity = withColumns(found, options);
    return await this.answer(
      this.compiler.compile({ entity, query: inner, paging: merged, isActiveOnly: true }),
      options,
    );
  }

  /** The query as it is understood. */
  ast(query: Clause): Clause {
    const { entity, inner } = this.root(query);
    this.compiler.compile({ entity, query: inner, paging: {} });
    return query;
  }

  async countEvents(request: EventCountRequest): Promise<Answer> {
    return await refusing(async () => {
      const { rows, total } = await countEvents(this.database, this.compiler, this.entities, request);
      return { rows: inOnePart(rows), ...(total === undefined ? {} : { total }) };
    });
  }

  private root(clause: Clause): { entity: Entity; inner: Clause | undefined; clauses: readonly Clause[] } {
    if (isTooDeep(clause)) throw tooDeep();
    const [operator, name, ...rest] = clause;
    const clauses = rest.filter(isPagingClause);
    const queries = rest.filter((each) => !isPagingClause(each));
    const [inner] = queries;
    const isWellFormed = operator === 'from' && typeof name === 'string' && queries.length <= 1;
    if (!isWellFormed || (inner !== undefined && !isClause(inner))) {
      throw new QueryError(
        'Your initial query must be of the form: ["from",<entity>,(<optional-query>)]. ' +
          'Check your query and try again.',
      );
    }
    const entity = this.entities.get(name);
    if (entity === undefined) throw new QueryError(`Invalid entity '${printed(name)}' in query`);
    return { entity, inner, clauses };
  }

  private async answer(
    { sql, countSql, columns, bareColumn }: CompiledQuery,
    { includeTotal, isExplained = false }: AnswerOptions,
  ): Promise<Answer> {
    if (isExplained) return { rows: inOnePart(await this.explain(sql)) };
    const encode = bareColumn === undefined ? rowEncoder(columns) : bareEncoder(columns, bareColumn);
    const total = includeTotal ? await this.count(countSql) : undefined;
    const parts = this.database.streamText(sql, encode)[Symbol.asyncIterator]();
    const first = await refusing(() => parts.next());
    return { rows: begunParts(first, parts), ...(total === undefined ? {} : { total }) };
  }

  private async count(sql: Fragment): Promise<number> {
    const [count] = await refusing(() => this.database.read(sql));
    return Number(count?.['c0'] ?? 0);
  }

  private async explain(sql: Fragment): Promise<readonly string[]> {
    return explained(await refusing(() => this.database.read(this.dialect.explain(sql))));
  }
}

/**
 * A bad regular expression, and what is too large or nested too deeply for the database. The reference answers 500 to the
 * latter, which clients take for a fault that passes, and ask again.
 */
const mistakesOfClients: ReadonlySet<string> = new Set(['2201B', '54000', '54001', '54011', '54023']);

/** A database that will not run a query says why; the client reads it as the reference would hand it on. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StatementRefused)) throw error;
    throw new QueryError(`ERROR: ${error.message}`, mistakesOfClients.has(error.sqlState) ? 400 : 500);
  }
}

function bareEncoder(columns: readonly ResultColumn[], key: string): RowEncoder {
  const place = columns.findIndex((column) => column.key === key);
  return (values) => encodeValue(columns[place]?.kind ?? 'text', values[place]);
}

async function* begunParts(
  first: IteratorResult<readonly string[]>,
  parts: AsyncIterator<readonly string[]>,
): AsyncIterable<readonly string[]> {
  try {
    for (let part = first; part.done !== true; part = await parts.next()) yield part.value;
  } finally {
    await parts.return?.();
  }
}

async function* inOnePart(rows: readonly string[]): AsyncIterable<readonly string[]> {
  await Promise.resolve();
  yield rows;
}
