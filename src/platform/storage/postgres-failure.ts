/** What PostgreSQL says went wrong, as an error that callers tell apart. */

import { ServiceError } from '../../lib/service-error.ts';
import { StatementRefused } from './statement-refused.ts';

/** The connection is lost, the server is starting or ending, or it has no resources left. */
const unavailableStates = /^(08|53|57P|58|XX)/;
/** Two transactions were in each other's way: one of them has to begin anew. */
const conflictingTransactions = new Set(['40001', '40P01']);
/** Two programs made the same table at once: `create ... if not exists` does not keep them apart. */
const alreadyThere = new Set(['42710', '42P07']);
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);

export function postgresError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof ServiceError || error instanceof StatementRefused) return error;
  const state = stateOf(error);
  const sqlState = state !== undefined && /^[0-9A-Z]{5}$/.test(state) ? state : undefined;
  if (isUnavailable(error, state)) {
    return new ServiceError('unavailable', `database: ${error.message}`, { cause: error });
  }
  if (sqlState === undefined) return error;
  if (sqlState === '57014') {
    return new ServiceError('unavailable', `database: ${error.message}`, { details: { sqlState } });
  }
  if (sqlState.startsWith('23') || alreadyThere.has(sqlState)) {
    return new ServiceError('conflict', `database: ${error.message}`, { details: { sqlState } });
  }
  return new StatementRefused(error.message, sqlState, { cause: error });
}

/** Whether running the whole transaction again is the answer. */
export function isConflictingTransaction(error: unknown): boolean {
  const state = error instanceof StatementRefused ? error.sqlState : stateOf(error);
  return state !== undefined && conflictingTransactions.has(state);
}

function isUnavailable(error: Error, state: string | undefined): boolean {
  if (state !== undefined) return unavailableCodes.has(state) || unavailableStates.test(state);
  // What the driver says of itself has no code.
  return /connection|timeout exceeded|client was closed|not queryable/i.test(error.message);
}

function stateOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
