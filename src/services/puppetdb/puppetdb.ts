/** PuppetDB: commands and queries in threads of their own, the database behind them. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpResponse } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type DatabaseLocation, encodeTimestamp } from '../../platform/storage/index.ts';
import { importArchive } from './admin/import-archive.ts';
import type { Population } from './admin/population.ts';
import { ClientTurns } from './client-turns.ts';
import { type CommandHead, headOf, type SentCommand } from './commands/submission.ts';
import { queryMount } from './http/answer-query.ts';
import type { QueryCall } from './http/query-call.ts';
import { ServerMetrics } from './metrics/server-metrics.ts';
import type { Clause } from './query/ast.ts';
import type { CleanRequest, Lifetimes } from './store/garbage.ts';
import type { CommandReceipt, ReadRequest } from './threads/protocol.ts';
import { type Streamed, type StreamedReply, WorkerThread } from './threads/worker-thread.ts';

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
  /** After which what is over is forgotten, whenever somebody cleans. */
  readonly lifetimes: Lifetimes;
}

/** What this program asks its own threads. */
const internalCall: QueryCall = {
  method: 'GET',
  path: '',
  search: '',
  body: undefined,
  accept: undefined,
  contentType: undefined,
  host: undefined,
};

/** Queries that run, wait or are being read: compile servers ask for several catalogs at the same time. */
const maxQueriesPerClient = 64;

/** How long a query may go on after its client has left: most end by then, and no thread has to be replaced. */
const leavingGraceMs = 500;

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
  readonly #options: PuppetDbOptions;
  readonly #ingest: WorkerThread;
  readonly #queries: WorkerThread[] = [];
  readonly #turns: ClientTurns;
  readonly metrics: ServerMetrics;
  #retry: NodeJS.Timeout | undefined;
  #isCleaning = false;
  #commands = 0;

  constructor(options: PuppetDbOptions) {
    this.#options = options;
    this.#ingest = this.#thread('ingest');
    const { location, now, queryThreads } = options;
    const readers = location.kind === 'sqlite' ? queryThreads : location.connections;
    this.#turns = new ClientTurns({
      places: readers,
      // One is always left to others.
      placesPerClient: Math.max(1, readers - 1),
      maxOpenPerClient: maxQueriesPerClient,
    });
    this.metrics = new ServerMetrics({
      nowMs: () => now().getTime(),
      queueDepth: () => this.queueDepth,
      queriesInFlight: () => this.#queries.reduce((sum, { load }) => sum + load, 0),
      readers,
      readPopulation: async () => {
        const signal = new AbortController().signal;
        return (await this.#read({ kind: 'population' }, signal)) as Population;
      },
    });
  }

  /** How many commands have arrived and are not carried out yet. */
  get queueDepth(): number {
    return this.#commands;
  }

  /**
   * Carries a command out; durable when it resolves. What can never be carried out becomes a dead letter.
   *
   * @param onlyCertname - the only node that the command may be of
   * @throws ServiceError `unavailable` when it must be sent again, `bad-request` when it is no command, `forbidden` when it
   * is of another node
   */
  async submit(command: SentCommand, onlyCertname?: string): Promise<CommandReceipt> {
    return await this.#carryOut(headOf(command), command.payload, onlyCertname);
  }

  /** As `submit`. @param body - the older form: `{"command":...,"version":...,"payload":...}` */
  async submitOldForm(body: Uint8Array, onlyCertname?: string): Promise<CommandReceipt> {
    return await this.#carryOut(undefined, body, onlyCertname);
  }

  async #carryOut(
    head: CommandHead | undefined,
    sent: Uint8Array,
    onlyCertname: string | undefined,
  ): Promise<CommandReceipt> {
    const { now, newId } = this.#options;
    const body = ownBytes(sent);
    const bytes = body.length;
    const began = performance.now();
    const command = { id: newId(), head, body, received: encodeTimestamp(now()), onlyCertname };
    this.#commands++;
    let receipt: CommandReceipt;
    try {
      receipt = (await this.#ingest.ask({ kind: 'submit', command }, [body.buffer])) as CommandReceipt;
    } finally {
      this.#commands--;
    }
    this.metrics.commands.observe({ ...receipt, bytes, durationMs: performance.now() - began });
    return receipt;
  }

  /**
   * Answers what was sent to `/pdb/query/v4`.
   *
   * @param client - the name under which queries are counted; undefined for the server's own
   * @throws ServiceError `unavailable` when the client has too many; the reason of `signal` when the client has left
   */
  async answer(call: QueryCall, signal: AbortSignal, client?: string): Promise<HttpResponse | StreamedReply> {
    return (await this.#read({ kind: 'query', call }, signal, client)) as HttpResponse | StreamedReply;
  }

  /** Asks a thread that reads, when it is the client's turn. */
  async #read(request: ReadRequest, signal: AbortSignal, client?: string): Promise<unknown> {
    const leave = this.#turns.enter(client);
    let isBeingRead = false;
    try {
      const reply = await this.#turns.run(client, signal, () => this.#ask(request, signal));
      if (!isStreamed(reply)) return reply;
      isBeingRead = true;
      reply.body.once('close', leave);
      if (signal.aborted) reply.body.destroy();
      return reply;
    } finally {
      if (!isBeingRead) leave();
    }
  }

  async #ask(request: ReadRequest, signal: AbortSignal): Promise<unknown> {
    const thread = this.#leastLoaded();
    const { location, queryTimeoutMs } = this.#options;
    const asked = thread.ask(request);
    // PostgreSQL gives a query up by itself; its thread answers others' meanwhile.
    if (location.kind !== 'sqlite') return await asked;
    const giveUp = (): void => thread.abandon();
    let timer = setTimeout(giveUp, queryTimeoutMs).unref();
    const onAbort = (): void => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, leavingGraceMs).unref();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await asked;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Asks in PQL or in the AST form of the root (`["from", ...]`).
   *
   * @returns the rows
   * @throws ServiceError `bad-request` saying what is wrong with the query
   */
  async query(query: string | Clause, signal = new AbortController().signal): Promise<readonly unknown[]> {
    const text = await this.queryText(query, signal);
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows : [];
  }

  /** Like `query`; the rows as the text of a JSON array. */
  async queryText(query: string | Clause, signal: AbortSignal): Promise<string> {
    const { status, body } = await this.answer(
      { ...internalCall, method: 'POST', path: queryMount, body: Buffer.from(JSON.stringify({ query })) },
      signal,
    );
    const text = body instanceof Readable ? (await buffer(body)).toString('utf8') : String(body ?? '');
    if (status !== 200) throw new ServiceError('bad-request', text);
    return text;
  }

  /** Everything that active nodes have sent, as a tar file. @param profile - what it must not show; `none` */
  async exportArchive(profile: string, signal: AbortSignal): Promise<Readable> {
    const nowMs = this.#options.now().getTime();
    const { body } = (await this.#read({ kind: 'archive', nowMs, profile }, signal)) as Streamed;
    return body;
  }

  /**
   * Carries out what is in an archive of this or another PuppetDB.
   *
   * @param archive - tar, gzipped
   * @returns how many commands there were
   * @throws ServiceError `bad-request` when it is no archive
   */
  async importArchive(archive: Readable, signal: AbortSignal): Promise<number> {
    return await importArchive(archive, {
      signal,
      carryOut: (command) => this.submit(command),
    });
  }

  /** Sizes and counts of what there is. */
  async summaryStats(signal: AbortSignal): Promise<unknown> {
    return await this.#read({ kind: 'stats' }, signal);
  }

  /** Forgets what is over, in small steps. @returns false when that is under way already */
  async clean(request: CleanRequest): Promise<boolean> {
    if (this.#isCleaning) return false;
    this.#isCleaning = true;
    const began = performance.now();
    try {
      const { lifetimes, now } = this.#options;
      await this.#ingest.ask({ kind: 'garbage', lifetimes, nowMs: now().getTime(), request });
      this.metrics.garbage.add(performance.now() - began);
      return true;
    } finally {
      this.#isCleaning = false;
    }
  }

  /** Forgets a node with all that it sent. */
  async deleteNode(certname: string): Promise<void> {
    await this.#ingest.ask({ kind: 'delete-node', certname });
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
    await this.#ingest.ask({ kind: 'migrate' });
  }

  migrateLater(): void {
    this.#retry = setTimeout(() => {
      this.migrate().then(
        () => this.#options.log.info({}, 'database of PuppetDB is there'),
        () => this.migrateLater(),
      );
    }, migrationRetryMs);
    this.#retry.unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    // What reads loses nothing, and may be in a query that takes long.
    for (const thread of this.#queries) thread.stop();
    await this.#ingest.close();
  }

  #leastLoaded(): WorkerThread {
    const [best] = this.#queries.toSorted((a, b) => a.load - b.load);
    if (best !== undefined && (best.load === 0 || this.#queries.length >= this.#options.queryThreads)) {
      return best;
    }
    const thread = this.#thread('query');
    this.#queries.push(thread);
    return thread;
  }

  #thread(role: 'ingest' | 'query'): WorkerThread {
    const { location, workerUrl, log } = this.#options;
    return new WorkerThread({ workerUrl, options: { role, location }, log });
  }
}

function isStreamed(reply: unknown): reply is Streamed {
  return typeof reply === 'object' && reply !== null && 'body' in reply && reply.body instanceof Readable;
}

/** Bytes that can be handed over: alone in their memory. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
