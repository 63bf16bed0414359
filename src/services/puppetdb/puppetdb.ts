/** PuppetDB as the program has it: commands, queries and administration as functions, the database behind them. */

import type { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { DatabaseLocation } from '../../platform/storage/index.ts';
import { Administration } from './administration.ts';
import type { CommandReceipt } from './commands/command-outcome.ts';
import type { SentCommand } from './commands/submission.ts';
import type { QueryCall } from './http/query-call.ts';
import { ServerMetrics } from './metrics/server-metrics.ts';
import { type Clause, isClause } from './query/ast.ts';
import type { Query } from './query/query.ts';
import type { Lifetimes } from './store/garbage.ts';
import { IngestThread } from './threads/ingest-thread.ts';
import { type HttpAnswer, QueryThreads } from './threads/query-threads.ts';

export interface PuppetDbOptions {
  readonly location: DatabaseLocation;
  /** The file of `threads/puppetdb-worker.ts`, built or not. */
  readonly workerUrl: URL;
  readonly log: Logger;
  readonly now: () => Date;
  /** A new UUID for each command. */
  readonly newId: () => string;
  /** Threads that answer queries at most; one is enough for PostgreSQL. */
  readonly queryThreads: number;
  /** After which a query whose answer has not begun is given up. */
  readonly queryTimeoutMs: number;
  /** After which data that is over is forgotten by `admin.clean`. */
  readonly lifetimes: Lifetimes;
}

/** How often the database is asked for when it was not there at the start. */
const migrationRetryMs = 2000;

/**
 * Opens the database with its schema up to date.
 *
 * A PostgreSQL that cannot be reached is waited for in the background: what is asked meanwhile fails with `unavailable`.
 *
 * @throws ServiceError `unavailable` when an embedded database cannot be opened
 */
export async function openPuppetDb(options: PuppetDbOptions): Promise<PuppetDb> {
  const puppetDb = new PuppetDb(options);
  try {
    await puppetDb.migrate();
  } catch (error) {
    const isAway = error instanceof ServiceError && error.reason === 'unavailable';
    if (options.location.kind === 'sqlite' || !isAway) {
      await puppetDb.close();
      throw error;
    }
    options.log.warn({ error }, 'database of PuppetDB cannot be reached');
    puppetDb.migrateLater();
  }
  return puppetDb;
}

export class PuppetDb {
  readonly admin: Administration;
  readonly metrics: ServerMetrics;
  private readonly ingest: IngestThread;
  private readonly queries: QueryThreads;
  private readonly log: Logger;
  private readonly listeners = new Set<(certname: string) => void>();
  private retry: NodeJS.Timeout | undefined;

  constructor(options: PuppetDbOptions) {
    const { lifetimes, log, now } = options;
    const ingest = new IngestThread({
      ...options,
      observe: (command) => this.metrics.commands.observe(command),
    });
    const queries = new QueryThreads(options);
    this.metrics = new ServerMetrics({
      nowMs: () => now().getTime(),
      queueDepth: () => ingest.depth,
      queriesInFlight: () => queries.inFlight,
      readers: queries.places,
      readPopulation: () => queries.population(),
    });
    this.admin = new Administration({ ingest, queries, now, lifetimes, cleaningTimes: this.metrics.garbage });
    this.ingest = ingest;
    this.queries = queries;
    this.log = log;
  }

  /** How many commands have arrived and are not carried out yet. */
  get queueDepth(): number {
    return this.ingest.depth;
  }

  /**
   * Carries a command out; durable when it resolves. What can never be carried out becomes a dead letter.
   *
   * @param onlyCertname - the only node that the command may be of
   * @throws ServiceError `unavailable` when it must be sent again, `bad-request` when it is no command, `forbidden` when it
   * is of another node
   */
  async submit(command: SentCommand, onlyCertname?: string): Promise<CommandReceipt> {
    return this.told(await this.ingest.submit(command, onlyCertname));
  }

  /** As `submit`. @param body - the older form: `{"command":...,"version":...,"payload":...}` */
  async submitOldForm(body: Uint8Array, onlyCertname?: string): Promise<CommandReceipt> {
    return this.told(await this.ingest.submitOldForm(body, onlyCertname));
  }

  /** Calls back with the certname whenever a command of a node was carried out. @returns what ends that */
  onStored(listener: (certname: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Asks a query: PQL, the AST form of the root (`["from", ...]`), or rows of an entity.
   *
   * @returns the rows
   * @throws ServiceError `bad-request` saying what is wrong with the query, `not-found` when something required is not
   * known, `unavailable` when the database does not answer
   */
  async query(
    query: string | Clause | Query,
    signal = new AbortController().signal,
  ): Promise<readonly unknown[]> {
    const asked = typeof query === 'string' || isClause(query) ? ({ kind: 'root', query } as const) : query;
    return JSON.parse(await this.queryText(asked, signal)) as readonly unknown[];
  }

  /** As `query`; the rows as the text of a JSON array. */
  async queryText(query: Query, signal: AbortSignal): Promise<string> {
    return await this.queries.query(query, signal);
  }

  /** As `queryText`; a stream where the answer is long, to be read or destroyed. @param client - as of `answer` */
  async queryParts(query: Query, signal: AbortSignal, client: string): Promise<string | Readable> {
    return await this.queries.queryParts(query, signal, client);
  }

  /**
   * Answers what was sent to `/pdb/query/v4`.
   *
   * @param client - the name under which queries are counted; undefined for the server's own
   * @throws ServiceError `unavailable` when the client has too many; the reason of `signal` when the client has left
   */
  async answer(call: QueryCall, signal: AbortSignal, client?: string): Promise<HttpAnswer> {
    return await this.queries.answerHttp(call, signal, client);
  }

  private told(receipt: CommandReceipt): CommandReceipt {
    for (const listener of this.listeners) listener(receipt.certname);
    return receipt;
  }

  /** Whether the database answers. */
  async isUp(): Promise<boolean> {
    try {
      await this.query(['from', 'nodes', ['extract', 'certname'], ['limit', 1]]);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  async migrate(): Promise<void> {
    await this.ingest.migrate();
  }

  migrateLater(): void {
    this.retry = setTimeout(() => {
      this.migrate().then(
        () => this.log.info({}, 'database of PuppetDB is there'),
        () => this.migrateLater(),
      );
    }, migrationRetryMs);
    this.retry.unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.retry);
    this.queries.stop();
    await this.ingest.close();
  }
}
