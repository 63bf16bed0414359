/** PostgreSQL 15 or newer: a pool of connections in this thread. */

import pg from 'pg';
import { ServiceError } from '../../lib/service-error.ts';
import type { DirectDatabase, Row, RowEncoder, Transaction, WriteResult } from './database.ts';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { isConflictingTransaction, postgresError } from './postgres-failure.ts';
import { firstRows, partSize, sizeOfRow, sizeOfText } from './row-size.ts';
import type { Statement } from './statement.ts';

export interface PostgresOptions {
  /** `postgresql://user@host:5432/database?sslmode=verify-full&sslrootcert=...`, as libpq understands it. */
  readonly url: string;
  readonly connections: number;
  /** After which a statement is given up; 0 for never. */
  readonly statementTimeoutMs: number;
}

/** How often a transaction begins anew because another was in its way. */
const maximumAttempts = 5;

/**
 * Statements that keep their plan on each connection; stores have far fewer. If there ever were more, they would take memory
 * here and on each connection without end.
 */
const maximumNames = 500;

/** Rows that are fetched at once at most. */
const maximumRows = 2000;

/** Nothing is connected until something is asked. */
export function openPostgres(options: PostgresOptions): DirectDatabase {
  return new PostgresDatabase(options);
}

class PostgresDatabase implements DirectDatabase {
  readonly dialect: Dialect = postgresDialect();
  private readonly pool: pg.Pool;
  /** Text of a statement -> its name on each connection. */
  private readonly names = new Map<string, string>();
  private cursors = 0;

  constructor({ url, connections, statementTimeoutMs }: PostgresOptions) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      application_name: 'bunraku',
      keepAlive: true,
      options: `-c jit=off -c timezone=UTC -c cursor_tuple_fraction=1 -c statement_timeout=${statementTimeoutMs}`,
      types: { getTypeParser: parserOf },
    });
    // A connection that is lost while idle is replaced at the next query; no caller has to be told.
    this.pool.on('error', ignore);
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    return await retriedOnce(() =>
      this.withClient(async (client) => (await this.query(client, statement, false)).rows),
    );
  }

  stream(statement: Statement): AsyncIterable<readonly Row[]> {
    return this.parts(statement, fetchRows, sizeOfRow);
  }

  streamText(statement: Statement, encode: RowEncoder): AsyncIterable<readonly string[]> {
    const fetchTexts = async (client: pg.PoolClient, fetch: string): Promise<readonly string[]> => {
      const { rows } = await client.query<unknown[]>({ text: fetch, rowMode: 'array' });
      return rows.map(encode);
    };
    return this.parts(statement, fetchTexts, sizeOfText);
  }

  private async *parts<T>(
    statement: Statement,
    fetch: (client: pg.PoolClient, text: string) => Promise<readonly T[]>,
    sizeOf: (row: T) => number,
  ): AsyncIterable<readonly T[]> {
    const { client, cursor, first } = await retriedOnce(() => this.openCursor(statement, fetch));
    let failure: Error | undefined;
    try {
      let [rows, wanted] = [first, firstRows];
      while (rows.length > 0) {
        if (rows.length < wanted) return yield rows;
        const size = rows.reduce((sum, row) => sum + sizeOf(row), 1);
        wanted = Math.max(1, Math.min(maximumRows, Math.round((partSize * rows.length) / size)));
        // The database makes the next part while this one is on its way.
        const next = fetch(client, `fetch ${wanted} from ${cursor}`);
        next.catch(ignore);
        yield rows;
        rows = await next;
      }
    } catch (error) {
      failure = postgresError(error);
      throw failure;
    } finally {
      await this.giveBack(client, failure);
    }
  }

  async write(statements: readonly Statement[]): Promise<readonly WriteResult[]> {
    return await this.transaction(async (transaction) => {
      const results: WriteResult[] = [];
      for (const statement of statements) results.push(await transaction.run(statement));
      return results;
    });
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt >= maximumAttempts || !isConflictingTransaction(error)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let failure: Error | undefined;
    let isCommitted = false;
    try {
      await client.query('begin');
      const result = await work({
        dialect: this.dialect,
        read: async (statement) => (await this.query(client, statement, true)).rows,
        run: (statement) => this.query(client, statement, true),
      });
      await client.query('commit');
      isCommitted = true;
      return result;
    } catch (error) {
      failure = postgresError(error);
      throw failure;
    } finally {
      if (isCommitted) client.release();
      else await this.giveBack(client, failure);
    }
  }

  private async openCursor<T>(
    statement: Statement,
    fetch: (client: pg.PoolClient, text: string) => Promise<readonly T[]>,
  ): Promise<OpenCursor<T>> {
    const client = await this.connect();
    const cursor = `rows${++this.cursors}`;
    try {
      await client.query('begin read only');
      const text = `declare ${cursor} no scroll cursor for ${this.dialect.render(statement)}`;
      await client.query({ text, values: this.values(statement) });
      return { client, cursor, first: await fetch(client, `fetch ${firstRows} from ${cursor}`) };
    } catch (error) {
      const failure = postgresError(error);
      await this.giveBack(client, failure);
      throw failure;
    }
  }

  private async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failure = postgresError(error);
      throw failure;
    } finally {
      client.release(isLost(failure));
    }
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw postgresError(error);
    }
  }

  /** Ends what is open on a connection; one that is lost is thrown away. */
  private async giveBack(client: pg.PoolClient, failure: Error | undefined): Promise<void> {
    if (isLost(failure)) return client.release(true);
    try {
      await client.query('rollback');
      client.release();
    } catch {
      // It was lost meanwhile; the failure that the caller sees says more.
      client.release(true);
    }
  }

  /** @param isKept - whether the statement will come again: it is planned once for each connection then */
  private async query(client: pg.PoolClient, statement: Statement, isKept: boolean): Promise<WriteResult> {
    const text = this.dialect.render(statement);
    const values = this.values(statement);
    const { rows, rowCount } = await client.query<Row>(
      isKept ? { ...this.nameOf(text), text, values } : { text, values },
    );
    return { rows, changes: rowCount ?? 0 };
  }

  private values(statement: Statement): unknown[] {
    return statement.values.map((value) => {
      const bound = this.dialect.bind(value);
      return bound instanceof Uint8Array
        ? Buffer.from(bound.buffer, bound.byteOffset, bound.byteLength)
        : bound;
    });
  }

  private nameOf(text: string): { readonly name?: string } {
    let name = this.names.get(text);
    if (name === undefined) {
      if (this.names.size >= maximumNames) return {};
      name = `s${this.names.size}`;
      this.names.set(text, name);
    }
    return { name };
  }
}

interface OpenCursor<T> {
  readonly client: pg.PoolClient;
  readonly cursor: string;
  readonly first: readonly T[];
}

async function fetchRows(client: pg.PoolClient, text: string): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>({ text });
  return rows;
}

/** A connection that was lost while idle is noticed by its next user: reads are simply repeated. */
async function retriedOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What the database says itself, as that it took too long, it would say again.
    if (!isLost(error) || (error instanceof ServiceError && 'sqlState' in error.details)) throw error;
    return await work();
  }
}

/** Whether the connection can't be used any more. */
function isLost(failure: unknown): boolean {
  return failure instanceof ServiceError && failure.reason === 'unavailable';
}

/** JSON and times stay text, as SQLite gives them. @param type - the number of a type of PostgreSQL's */
function parserOf(type: number): (text: string) => unknown {
  switch (type) {
    case 16:
      return (text) => text === 't';
    case 17:
      return (text) => Buffer.from(text.slice(2), 'hex');
    case 20:
    case 21:
    case 23:
    case 700:
    case 701:
    case 1700:
      return Number;
    default:
      return (text) => text;
  }
}

function ignore(): void {
  // see where it is used
}
