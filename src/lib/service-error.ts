/** Failures that a caller must tell apart; everything else that is thrown is a bug. */

/** Why a request could not be served. `platform/http` maps each to a status in one place. */
export type ServiceErrorReason =
  | 'bad-request' // 400
  | 'unauthorized' // 401
  | 'forbidden' // 403
  | 'not-found' // 404
  | 'not-acceptable' // 406
  | 'timeout' // 408
  | 'conflict' // 409
  | 'too-large' // 413
  | 'unsupported-media-type' // 415
  | 'unprocessable' // 422
  | 'not-modified' // 304
  | 'compile-failed' // 500, the user's code is at fault
  | 'bad-gateway' // 502
  | 'unavailable'; // 503

export interface ServiceErrorOptions {
  /** What a client reads: the `issue_kind` of the Puppet API (`RESOURCE_NOT_FOUND`), or `puppetlabs.orchestrator/...`. */
  readonly kind?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  readonly reason: ServiceErrorReason;
  readonly kind: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(reason: ServiceErrorReason, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ServiceError';
    this.reason = reason;
    this.kind = options.kind;
    this.details = options.details ?? {};
  }
}
