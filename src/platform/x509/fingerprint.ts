/** Fingerprints of certificates and requests. */

import { createHash } from 'node:crypto';

/** `AB:CD:...`, as Puppet prints it. @param der - the certificate or request */
export function fingerprint(der: Uint8Array, digest: 'sha1' | 'sha256' | 'sha512' = 'sha256'): string {
  const hex = createHash(digest).update(der).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}
