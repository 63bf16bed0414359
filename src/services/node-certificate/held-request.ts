/** What becomes of a request where the CA has one of that name already: it keeps the first and ignores the other. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  type CertificateRequest,
  encodePublicKeyInfo,
  fingerprint,
  type KeyPair,
  parseCertificateRequest,
} from '../../platform/x509/index.ts';

export interface HeldRequestOptions {
  readonly certname: string;
  /** Where the key of this node is, for the message. */
  readonly keyFile: string;
  readonly keys: KeyPair;
  readonly log: Logger;
}

/**
 * Compares the request that the CA holds with the one that it ignored.
 *
 * @param held - PEM, as the CA shows it; that one is going to be signed
 * @throws ServiceError `conflict` when it is for another key: its certificate would be of no use here
 */
export function checkHeldRequest(held: string, sent: string, options: HeldRequestOptions): void {
  const { certname, keyFile, keys, log } = options;
  const request = parseCertificateRequest(held);
  const digest = fingerprint(request.raw);
  const remedy = `remove it there with 'bunraku ca clean --certname ${certname}', and repeat this`;
  if (!request.publicKeyInfo.equals(encodePublicKeyInfo(keys.publicKey)))
    throw new ServiceError(
      'conflict',
      `The CA holds another certificate request for ${certname} (SHA256 ${digest}), whose key is not ${keyFile}, ` +
        `and ignored this one; ${remedy}`,
    );
  if (contentOf(request) === contentOf(parseCertificateRequest(sent))) return;
  log.warn(
    { certname, fingerprint: digest },
    `the CA holds an earlier request for other names or extensions, and ignored this one; to replace it, ${remedy}`,
  );
}

function contentOf({ extensions }: CertificateRequest): string {
  const values = extensions.map(({ oid, value }) => `${oid} ${Buffer.from(value).toString('hex')}`);
  return values.sort().join('\n');
}
