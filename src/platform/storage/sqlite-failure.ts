/** What SQLite says went wrong, as an error that callers tell apart. */

import { ServiceError } from '../../lib/service-error.ts';
import type { SqliteFailure } from './sqlite-protocol.ts';
import { StatementRefused } from './statement-refused.ts';

/** SQLite's primary result code for violated constraints. */
const constraintCode = 19;

/** Of SQLite's limits of a statement; those of a client's query grow with what it asks. */
const tooLarge =
  /^too many SQL variables|^Expression tree is too large|^Recursion limit|^parser stack overflow|^too many terms in compound|^string or blob too big/;
const statementTooComplex = '54001';

export function failureAsError({ message, code, cause }: SqliteFailure): Error {
  // A failure that has a name of its own already, one that is not SQLite's, or an error in the SQL: a bug of ours.
  if (cause !== undefined) return cause;
  if (code !== undefined && tooLarge.test(message)) return new StatementRefused(message, statementTooComplex);
  if (code === undefined || (code & 0xff) === 1) return new Error(`database: ${message}`);
  const reason = (code & 0xff) === constraintCode ? 'conflict' : 'unavailable';
  return new ServiceError(reason, `database: ${message}`, { details: { sqliteCode: code } });
}
