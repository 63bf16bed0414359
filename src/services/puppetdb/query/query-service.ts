/** Answers queries: AST or PQL, of one entity or of the root. */

import type { Database } from '../../../platform/storage/index.ts';
import { parsePql } from '../pql/parse-pql.ts';
import { type Clause, isClause, printed } from './ast.ts';
import { type CompiledQuery, QueryCompiler } from './compile-query.ts';
import { sqliteQueryDialect } from './dialect.ts';
import { entities } from './entities/index.ts';
import type { Entity } from './entity.ts';
import { countEvents, type EventCountRequest } from './event-counts.ts';
import { isPagingClause, type Paging, readPagingClauses } from './paging.ts';
import { QueryError } from './query-error.ts';
import { encodeRow, encodeValue } from './result-column.ts';

export interface Answer {
  /** One JSON text for each row. */
  readonly rows: readonly string[];
  /** How many there are without paging, where that was asked for. */
  readonly total?: number;
}

export interface EntityQuery {
  /** As in a path: `fact-contents`. */
  readonly entity: string;
  readonly query: Clause | undefined;
  readonly paging: Paging;
  readonly conditions?: readonly Clause[];
  readonly includeTotal: boolean;
}

export class QueryService {
  readonly #database: Database;
  readonly #compiler: QueryCompiler;

  constructor(database: Database) {
    this.#database = database;
    this.#compiler = new QueryCompiler(entities, sqliteQueryDialect());
  }

  hasEntity(path: string): boolean {
    return entities.has(path.replaceAll('-', '_'));
  }

  /** @throws QueryError saying what is wrong with the query */
  async ask({ entity: path, query, paging, conditions = [], includeTotal }: EntityQuery): Promise<Answer> {
    const entity = entities.get(path.replaceAll('-', '_'));
    if (entity === undefined) throw new QueryError(`Invalid entity '${path}' in query`);
    return await this.#answer(this.#compiler.compile({ entity, query, paging, conditions }), includeTotal);
  }

  /**
   * @param query - PQL, or the JSON of `["from", ...]`
   * @param paging - of the URL; what the query says comes first
   */
  async askRoot(query: string | Clause, paging: Paging, includeTotal: boolean): Promise<Answer> {
    const { entity, inner, clauses } = this.#root(readRoot(query));
    const merged = { ...paging, ...readPagingClauses(clauses) };
    return await this.#answer(
      this.#compiler.compile({ entity, query: inner, paging: merged, isActiveOnly: true }),
      includeTotal,
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
    return await countEvents(this.#database, this.#compiler, request);
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
    const entity = entities.get(name);
    if (entity === undefined) throw new QueryError(`Invalid entity '${printed(name)}' in query`);
    return { entity, inner, clauses };
  }

  async #answer(compiled: CompiledQuery, includeTotal: boolean): Promise<Answer> {
    const { columns, isBare } = compiled;
    const rows = await this.#database.read(compiled.sql);
    const [only] = columns;
    const encoded = rows.map((row) =>
      isBare && only !== undefined ? encodeValue(only.kind, row['c0']) : encodeRow(columns, row),
    );
    if (!includeTotal) return { rows: encoded };
    const [count] = await this.#database.read(compiled.countSql);
    return { rows: encoded, total: Number(count?.['c0'] ?? 0) };
  }
}

function readRoot(query: string | Clause): Clause {
  if (typeof query !== 'string') return query;
  if (!query.trimStart().startsWith('[')) return parsePql(query);
  const value: unknown = JSON.parse(query);
  return isClause(value) ? value : [];
}
