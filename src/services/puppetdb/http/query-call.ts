/** A query as it crosses threads, and its answer. */

export interface QueryCall {
  readonly method: string;
  /** As sent, still percent-encoded. */
  readonly path: string;
  /** The query of the URL, encoded. */
  readonly search: string;
  readonly body: Uint8Array | undefined;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly host: string | undefined;
}

export interface QueryReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, or in parts as the database gives them. */
  readonly body: string | AsyncIterable<string | Uint8Array>;
}
