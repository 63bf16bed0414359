/** Renews the certificate of a server before it ends, with the one that it has. */

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  type Certificate,
  decodeCertificates,
  decodePrivateKey,
  isDueForRenewal,
  type SslFiles,
} from '../../platform/x509/index.ts';

export interface RenewOptions {
  readonly files: SslFiles;
  /** With the certificate that is to be renewed. */
  readonly client: HttpClient;
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  readonly now: Date;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Asks for a new certificate when the one in the file ends soon, and saves it.
 *
 * @returns whether there is a new one
 * @throws ServiceError `unavailable` when the primary cannot be reached or does not renew
 */
export async function renewNodeCertificate(options: RenewOptions): Promise<boolean> {
  const { client, files, log, now, primaryUrl, signal } = options;
  if (!isDueForRenewal(await readOwnCertificate(files.certificate), now)) return false;
  const url = `${primaryUrl}/puppet-ca/v1/certificate_renewal`;
  const answer = await client.send({
    method: 'POST',
    url,
    headers: { accept: 'text/plain' },
    body: '',
    signal,
  });
  const pem = answer.body.toString('utf8');
  if (answer.status !== 200)
    throw new ServiceError('unavailable', `The CA did not renew the certificate (${answer.status}): ${pem}`);
  const renewed = new X509Certificate(pem);
  if (!renewed.checkPrivateKey(decodePrivateKey(await readFile(files.privateKey, 'utf8'))))
    throw new ServiceError('conflict', 'The CA renewed the certificate for another key');
  await writeFileAtomically(files.certificate, pem);
  log.info({ serial: renewed.serialNumber, endsAt: renewed.validTo }, 'renewed own certificate');
  return true;
}

/** The certificate in a file. @throws ServiceError `conflict` when there is none */
export async function readOwnCertificate(file: string): Promise<Certificate> {
  const [certificate] = decodeCertificates(await readFile(file, 'utf8'));
  if (certificate) return certificate;
  throw new ServiceError('conflict', `There is no certificate in ${file}`);
}
