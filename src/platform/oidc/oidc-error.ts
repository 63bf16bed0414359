/** Why a conversation with an OpenID provider failed. */

/**
 * - `unreachable`: no connection, no answer in time, or one that is not OpenID Connect
 * - `refused`: the provider refuses, or what it says cannot be verified
 */
export type OidcFailure = 'unreachable' | 'refused';

export class OidcError extends Error {
  readonly failure: OidcFailure;

  constructor(failure: OidcFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'OidcError';
    this.failure = failure;
  }
}
