/** The messages between the thread that serves HTTP and those that work with the database. */

import type { LogFields } from '../../../platform/log/index.ts';
import type { DatabaseLocation } from '../../../platform/storage/index.ts';
import type { CommandName } from '../commands/command-name.ts';
import type { CommandOutcome } from '../commands/command-outcome.ts';
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

/** What became of it. */
export interface CommandReceipt {
  readonly id: string;
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
  readonly outcome: CommandOutcome;
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

export type WorkerRequest =
  | (ReadRequest & { readonly id: number })
  | { readonly kind: 'submit'; readonly id: number; readonly command: CommandTransfer }
  | {
      readonly kind: 'garbage';
      readonly id: number;
      readonly lifetimes: Lifetimes;
      readonly nowMs: number;
      readonly request: CleanRequest;
    }
  | { readonly kind: 'delete-node'; readonly id: number; readonly certname: string }
  | { readonly kind: 'migrate'; readonly id: number }
  /** The reader has room for one more part. */
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number };

interface FailureMessage {
  /** Of a `ServiceError`; `undefined` when it is a bug. */
  readonly reason: string | undefined;
  readonly message: string;
  readonly stack: string | undefined;
}

export interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export type WorkerReply =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: FailureMessage }
  /** The beginning of an answer in parts; archives have no head. */
  | { readonly kind: 'stream'; readonly id: number; readonly head: ReplyHead | undefined }
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn';
      readonly fields: LogFields;
      readonly message: string;
    };

/** How many parts are on their way at most before the reader says that it has read one. */
export const partsInFlight = 4;
