/** Errors on their way between threads. */

import { ServiceError, type ServiceErrorReason } from '../../../lib/service-error.ts';
import type { WorkerReply } from './protocol.ts';

type FailureMessage = Extract<WorkerReply, { kind: 'failure' }>['failure'];

export function encodeFailure(error: unknown): FailureMessage {
  if (!(error instanceof Error)) return { reason: undefined, message: String(error), stack: undefined };
  const reason = error instanceof ServiceError ? error.reason : undefined;
  return { reason, message: error.message, stack: error.stack };
}

export function decodeFailure({ reason, message, stack }: FailureMessage): Error {
  if (reason !== undefined) return new ServiceError(reason as ServiceErrorReason, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
