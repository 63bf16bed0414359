/** How a directory is reached. */

import type { LdapTrust } from './trust.ts';

export interface LdapServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`ldaps`), TLS after a request for it, or plain text. */
  readonly security: 'tls' | 'start-tls' | 'none';
  readonly trust: LdapTrust;
  /** Whether the certificate must be for `host`. */
  readonly checksHostname: boolean;
  /** Whether names with `*` in the certificate count. */
  readonly allowsWildcards: boolean;
  /** For the connection, TLS included. */
  readonly connectTimeoutMs: number;
  /** For a whole conversation, the connection included. */
  readonly timeoutMs: number;
}

/** For messages. */
export function addressOf({ host, port }: LdapServer): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
