/** Errors on their way between threads. */

import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';

export interface FailureMessage {
  /** Of a `ServiceError`; `undefined` when it is a bug. */
  readonly reason: ServiceErrorReason | undefined;
  readonly message: string;
  readonly stack: string | undefined;
}

export function encodeFailure(error: unknown): FailureMessage {
  if (!(error instanceof Error)) return { reason: undefined, message: String(error), stack: undefined };
  const reason = error instanceof ServiceError ? error.reason : undefined;
  return { reason, message: error.message, stack: error.stack };
}

export function decodeFailure({ message, reason, stack }: FailureMessage): Error {
  if (reason !== undefined) return new ServiceError(reason, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
