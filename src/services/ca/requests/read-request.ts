/** Requests that came over the network or lay on the disk. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type CertificateRequest, parseCertificateRequest, X509Error } from '../../../platform/x509/index.ts';

/** @throws ServiceError `bad-request` saying what cannot be read */
export function readRequest(pem: string): CertificateRequest {
  try {
    return parseCertificateRequest(pem);
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    throw new ServiceError('bad-request', `Could not read the certificate request: ${error.message}`, {
      cause: error,
    });
  }
}
