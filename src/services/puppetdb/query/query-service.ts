/** Answers queries: AST or PQL, of one entity or of the root. */

import { type DirectDatabase, type RowEncoder, StatementRefused } from '../../../platform/storage/index.ts';
import { parsePql } from '../pql/parse-pql.ts';
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
import { queryDialectOf } from './query-dialect.ts';
import { QueryError, tooDeep } from './query-error.ts';
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

export interface EntityQuery extends AnswerOptions {
  /** As in a path: `fact-contents`. */
  readonly entity: string;
  readonly query: Clause | undefined;
  readonly paging: Paging;
  readonly conditions?: readonly Clause[];
  /** Also of nodes that are not active. */
  readonly isOfAnyNode?: boolean;
  /** Of events: the last of each kind alone. */
  readonly distinct?: DistinctWithin | undefined;
}

export class QueryService {
  readonly #database: DirectDatabase;
  readonly #dialect: QueryDialect;
  readonly #entities: ReadonlyMap<string, Entity>;
  readonly #compiler: QueryCompiler;

  constructor(database: DirectDatabase) {
    this.#database = database;
    this.#dialect = queryDialectOf(database);
    this.#entities = entitiesOf(this.#dialect);
    this.#compiler = new QueryCompiler(this.#entities, this.#dialect);
  }

  /** @throws QueryError saying what is wrong with the query */
  async ask({ entity: path, query, paging, conditions = [], ...options }: EntityQuery): Promise<Answer> {
    const found = this.#entities.get(path.replaceAll('-', '_'));
    if (found === undefined) throw new QueryError(`Invalid entity '${path}' in query`);
    const { isOfAnyNode = false, distinct } = options;
    const entity = distinct === undefined ? withColumns(found, options) : distinctEvents(found, distinct);
    const compiled = this.#compiler.compile({ entity, query, paging, conditions, isOfAnyNode });
    return await this.#answer(compiled, options);
  }

  /**
   * @param query - PQL, or the JSON of `["from", ...]`
   * @param paging - of the URL; what the query says comes first
   */
  async askRoot(query: string | Clause, paging: Paging, options: AnswerOptions): Promise<Answer> {
    const { entity: found, inner, clauses } = this.#root(readRoot(query));
    const merged = { ...paging, ...readPagingClauses(clauses) };
    const entity = withColumns(found, options);
    return await this.#answer(
      this.#compiler.compile({ entity, query: inner, paging: merged, isActiveOnly: true }),
      options,
    );
  }

  /** The query as it is understood. */
  ast(query: string | Clause): Clause {
    const clause = readRoot(query);
    const { entity, inner } = this.#root(clause);
    this.#compiler.compile({ entity, query: inner, paging: {} });
    return clause;
  }

  async countEvents(request: EventCountRequest): Promise<Answer> {
    return await refusing(async () => {
      const { rows, total } = await countEvents(this.#database, this.#compiler, this.#entities, request);
      return { rows: inOnePart(rows), ...(total === undefined ? {} : { total }) };
    });
  }

  #root(clause: Clause): { entity: Entity; inner: Clause | undefined; clauses: readonly Clause[] } {
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
    const entity = this.#entities.get(name);
    if (entity === undefined) throw new QueryError(`Invalid entity '${printed(name)}' in query`);
    return { entity, inner, clauses };
  }

  async #answer(
    { sql, countSql, columns, bareColumn }: CompiledQuery,
    { includeTotal, isExplained = false }: AnswerOptions,
  ): Promise<Answer> {
    if (isExplained) return { rows: inOnePart(await this.#explain(sql)) };
    const encode = bareColumn === undefined ? rowEncoder(columns) : bareEncoder(columns, bareColumn);
    const total = includeTotal ? await this.#count(countSql) : undefined;
    const parts = this.#database.streamText(sql, encode)[Symbol.asyncIterator]();
    const first = await refusing(() => parts.next());
    return { rows: begunParts(first, parts), ...(total === undefined ? {} : { total }) };
  }

  async #count(sql: Fragment): Promise<number> {
    const [count] = await refusing(() => this.#database.read(sql));
    return Number(count?.['c0'] ?? 0);
  }

  async #explain(sql: Fragment): Promise<readonly string[]> {
    return explained(await refusing(() => this.#database.read(this.#dialect.explain(sql))));
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

function readRoot(query: string | Clause): Clause {
  const value = typeof query === 'string' ? parseRoot(query) : query;
  if (isTooDeep(value)) throw tooDeep();
  return value;
}

function parseRoot(query: string): Clause {
  if (!query.trimStart().startsWith('[')) return parsePql(query);
  const value: unknown = JSON.parse(query);
  return isClause(value) ? value : [];
}
