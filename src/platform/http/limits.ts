/** What a client may ask of the server before it is turned away. */

export interface HttpLimits {
  /** Largest request body after decompression, in bytes, where a route has no limit of its own. */
  readonly maxBodyBytes: number;
  /** The same for clients without an identity, and for routes that let in all clients. */
  readonly maxAnonymousBodyBytes: number;
  /** Request line and headers together: agents put long queries into the request line. */
  readonly maxHeaderBytes: number;
  /** Until the headers are complete. */
  readonly headersTimeoutMs: number;
  /** Until the whole request has arrived. */
  readonly requestTimeoutMs: number;
  /** Within which at least 32 KiB of a body must arrive, or all that is left. */
  readonly bodyIdleTimeoutMs: number;
  /** Within which a client must take at least 32 KiB of an answer, or all that is left. */
  readonly answerIdleTimeoutMs: number;
  /** How long an idle connection is kept. */
  readonly keepAliveTimeoutMs: number;
  /** Until TLS is established. */
  readonly handshakeTimeoutMs: number;
  /** After which a handler's signal is aborted. */
  readonly handlerTimeoutMs: number;
}

export const defaultLimits: HttpLimits = {
  maxBodyBytes: 32 * 1024 * 1024,
  maxAnonymousBodyBytes: 64 * 1024,
  maxHeaderBytes: 128 * 1024,
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  bodyIdleTimeoutMs: 30_000,
  answerIdleTimeoutMs: 30_000,
  keepAliveTimeoutMs: 30_000,
  handshakeTimeoutMs: 15_000,
  handlerTimeoutMs: 600_000,
};
