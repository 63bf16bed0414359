/** Who makes a change, and by which proof. */

import type { Identity } from '../http/index.ts';

export interface Author {
  /**
   * `user`: a token or a password. `certificate`: an operator's certificate. `server`: the server itself. `webhook`: a push that
   * the host of a repository has signed. `anonymous`: a client without an identity, where a route lets one in.
   */
  readonly kind: 'user' | 'certificate' | 'server' | 'webhook' | 'anonymous';
  /** The user's ID or the certname; empty for the others. */
  readonly id: string;
  /** The login or the certname. */
  readonly name: string;
  /** Where the request came from; absent for the server. */
  readonly address?: string;
}

/** Makes changes of its own: preconfigured groups, compile servers that join or leave. */
export const serverItself: Author = { kind: 'server', id: '', name: 'Bunraku' };

export function authorOf(identity: Identity): Author {
  const { address } = identity;
  switch (identity.kind) {
    case 'user':
      return { kind: 'user', id: identity.id, name: identity.login, address };
    case 'certificate':
      return { kind: 'certificate', id: identity.certname, name: identity.certname, address };
    case 'anonymous':
      return { kind: 'anonymous', id: '', name: 'anonymous', address };
    default:
      return identity satisfies never;
  }
}
