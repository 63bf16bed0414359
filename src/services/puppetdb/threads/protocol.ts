/** What the main thread asks the threads that work with the database. */

import type { LogFields } from '../../../platform/log/index.ts';
import type { DatabaseLocation } from '../../../platform/storage/index.ts';
import type { CommandHead } from '../commands/submission.ts';
import type { QueryCall } from '../http/query-call.ts';
import type { Query } from '../query/query.ts';
import type { CleanRequest, Lifetimes } from '../store/garbage.ts';

export interface WorkerOptions {
  readonly role: 'ingest' | 'query';
  readonly location: DatabaseLocation;
}

/** A command on its way to the thread that writes. */
export interface CommandTransfer {
  /** What the command is called from now on. */
  readonly id: string;
  /** Absent of the older form, whose body states it. */
  readonly head: CommandHead | undefined;
  readonly body: Uint8Array;
  /** When it arrived, as a timestamp of the database. */
  readonly received: string;
  /** The only node that the command may be of. */
  readonly onlyCertname: string | undefined;
}

/** What a thread that reads is asked. */
export type ReadRequest =
  | { readonly kind: 'query'; readonly query: Query }
  /** A query that came over HTTP: it is read, and its answer written, where it is answered. */
  | { readonly kind: 'http-query'; readonly call: QueryCall }
  /** Everything that active nodes have sent. `profile` says what to anonymize. */
  | { readonly kind: 'archive'; readonly nowMs: number; readonly profile: string }
  | { readonly kind: 'stats' }
  | { readonly kind: 'population' };

/** What the thread that writes is asked. */
export type WriteRequest =
  | { readonly kind: 'submit'; readonly command: CommandTransfer }
  | {
      readonly kind: 'garbage';
      readonly lifetimes: Lifetimes;
      readonly nowMs: number;
      readonly request: CleanRequest;
    }
  | { readonly kind: 'delete-node'; readonly certname: string }
  | { readonly kind: 'migrate' };

/** What goes before the body of an answer over HTTP. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A line for the log of the other side. */
export interface LogNotice {
  readonly level: 'info' | 'warn';
  readonly fields: LogFields;
  readonly message: string;
}
