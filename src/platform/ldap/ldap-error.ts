/** Why a conversation with a directory failed. */

/**
 * - `unreachable`: no connection, or it broke
 * - `timeout`: no answer in time
 * - `untrusted`: the certificate of the server is not the right one
 * - `invalid-credentials`: a name or a password is wrong
 * - `refused`: the server answered with an error
 */
export type LdapFailure = 'unreachable' | 'timeout' | 'untrusted' | 'invalid-credentials' | 'refused';

export class LdapError extends Error {
  readonly failure: LdapFailure;

  constructor(failure: LdapFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'LdapError';
    this.failure = failure;
  }
}
