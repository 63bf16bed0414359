/** Where a node keeps its certificates: Puppet's `ssldir`. */

import { join } from 'node:path';

export interface SslFiles {
  readonly privateKey: string;
  readonly publicKey: string;
  readonly certificate: string;
  readonly request: string;
  readonly ca: string;
  readonly crl: string;
  /** The lock of an agent that is about to make a key or to ask for a certificate. */
  readonly lock: string;
}

export function sslFiles(sslDir: string, certname: string): SslFiles {
  return {
    privateKey: join(sslDir, 'private_keys', `${certname}.pem`),
    publicKey: join(sslDir, 'public_keys', `${certname}.pem`),
    certificate: join(sslDir, 'certs', `${certname}.pem`),
    request: join(sslDir, 'certificate_requests', `${certname}.pem`),
    ca: join(sslDir, 'certs', 'ca.pem'),
    crl: join(sslDir, 'crl.pem'),
    lock: join(sslDir, 'ssl.lock'),
  };
}
