/** The threads that read, from the outside: as many as are needed, and whose turn it is. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { RequestThread, Streamed } from '../../../platform/threads/index.ts';
import type { Population } from '../admin/population.ts';
import { ClientTurns } from '../client-turns.ts';
import type { QueryCall } from '../http/query-call.ts';
import type { Query } from '../query/query.ts';
import { type DatabaseThreadOptions, readingThread } from './database-thread.ts';
import type { ReadRequest, ReplyHead } from './protocol.ts';

export interface QueryThreadsOptions extends DatabaseThreadOptions {
  /** Threads at most; one is enough for PostgreSQL. */
  readonly queryThreads: number;
  /** After which a query whose answer has not begun is given up. */
  readonly queryTimeoutMs: number;
}

/** What is answered over HTTP: whole, or in parts whose memory is theirs alone. */
export type HttpAnswer = ReplyHead & { readonly body: string | Readable; readonly isBodyDisposable?: true };

/** Queries that run, wait or are being read: compile servers ask for several catalogs at the same time. */
const maxQueriesPerClient = 64;

/** How long a query may go on after its client has left: most end by then, and no thread has to be replaced. */
const leavingGraceMs = 500;

export class QueryThreads {
  private readonly options: QueryThreadsOptions;
  private readonly threads: RequestThread<ReadRequest>[] = [];
  private readonly turns: ClientTurns;

  constructor(options: QueryThreadsOptions) {
    this.options = options;
    this.turns = new ClientTurns({
      places: this.places,
      // One is always left to others.
      placesPerClient: Math.max(1, this.places - 1),
      maxOpenPerClient: maxQueriesPerClient,
    });
  }

  /** How many queries can be answered at a time. */
  get places(): number {
    const { location, queryThreads } = this.options;
    return location.kind === 'sqlite' ? queryThreads : location.connections;
  }

  /** Queries in flight: without a complete answer, or with one that is not read to the end. */
  get inFlight(): number {
    return this.threads.reduce((sum, { load }) => sum + load, 0);
  }

  /** @returns the rows as the text of a JSON array */
  async query(query: Query, signal: AbortSignal): Promise<string> {
    const text = await this.queryParts(query, signal);
    return typeof text === 'string' ? text : (await buffer(text)).toString('utf8');
  }

  /** @param client - as of `answerHttp` @returns as `query`; a stream where it is long */
  async queryParts(query: Query, signal: AbortSignal, client?: string): Promise<string | Readable> {
    const reply = await this.read({ kind: 'query', query }, signal, client);
    return isStreamed(reply) ? reply.body : (reply as string);
  }

  /** @param client - the name under which queries are counted; undefined for the server's own */
  async answerHttp(call: QueryCall, signal: AbortSignal, client: string | undefined): Promise<HttpAnswer> {
    const reply = await this.read({ kind: 'http-query', call }, signal, client);
    if (!isStreamed(reply)) return reply as HttpAnswer;
    return { ...(reply.head as ReplyHead), body: reply.body, isBodyDisposable: true };
  }

  /** A tar file. */
  async archive(profile: string, now: Date, signal: AbortSignal): Promise<Readable> {
    const reply = await this.read({ kind: 'archive', nowMs: now.getTime(), profile }, signal);
    return (reply as Streamed).body;
  }

  async stats(signal: AbortSignal): Promise<unknown> {
    return await this.read({ kind: 'stats' }, signal);
  }

  async population(): Promise<Population> {
    return (await this.read({ kind: 'population' }, new AbortController().signal)) as Population;
  }

  /** Ends the threads at once: what reads loses nothing, and may be in a query that takes long. */
  stop(): void {
    for (const thread of this.threads) void thread.stop(new Error('PuppetDB is closed'));
  }

  /** Asks a thread when it is the client's turn. */
  private async read(request: ReadRequest, signal: AbortSignal, client?: string): Promise<unknown> {
    const leave = this.turns.enter(client);
    let isBeingRead = false;
    try {
      const reply = await this.turns.run(client, signal, () => this.ask(request, signal));
      if (!isStreamed(reply)) return reply;
      isBeingRead = true;
      reply.body.once('close', leave);
      if (signal.aborted) reply.body.destroy();
      return reply;
    } finally {
      if (!isBeingRead) leave();
    }
  }

  private async ask(request: ReadRequest, signal: AbortSignal): Promise<unknown> {
    const thread = this.leastLoaded();
    const { location, queryTimeoutMs } = this.options;
    const asked = thread.ask(request);
    // PostgreSQL gives a query up by itself; its thread answers others' meanwhile.
    if (location.kind !== 'sqlite') return await asked;
    const giveUp = (): void => void thread.abandon(new Error('it took too long'));
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

  private leastLoaded(): RequestThread<ReadRequest> {
    const { queryThreads } = this.options;
    const [best] = this.threads.toSorted((a, b) => a.load - b.load);
    if (best !== undefined && (best.load === 0 || this.threads.length >= queryThreads)) return best;
    const thread = readingThread(this.options);
    this.threads.push(thread);
    return thread;
  }
}

function isStreamed(reply: unknown): reply is Streamed {
  return typeof reply === 'object' && reply !== null && 'body' in reply && reply.body instanceof Readable;
}
