/** What the server shows and whom it trusts. */

import { randomBytes } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

export interface TlsMaterial {
  /** PEM, with the intermediate certificates that clients need. */
  readonly certificate: string;
  /** PEM. */
  readonly privateKey: string;
  /** The authorities whose clients are believed, as PEM. */
  readonly ca: string;
  /** Revocation lists of all authorities in the chain, as PEM; without it nothing is revoked. */
  readonly crl?: string;
}

/** pxp-agent speaks TLS 1.2 only; nothing older is safe. */
export const minTlsVersion = 'TLSv1.2';

/**
 * Options of a secure context, without the revocation lists: each request is held against those. Tickets are sealed
 * with a new key each time, so that no session of a client that older authorities let in can be resumed.
 */
export function secureContextOptions(material: TlsMaterial): TlsOptions {
  return {
    cert: material.certificate,
    key: material.privateKey,
    ca: material.ca,
    minVersion: minTlsVersion,
    ticketKeys: randomBytes(48),
    honorCipherOrder: true,
  };
}
