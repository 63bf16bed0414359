/** The authority of a running server, over TLS with the certificate of this machine or with the token of a user. */

import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../lib/service-error.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { sslFiles } from '../../platform/x509/index.ts';
import type { CaClient } from './client.ts';

/** Whose certificate is shown. */
export interface Asker {
  readonly sslDir: string;
  readonly certname: string;
  /** With the token of a user, who needs no certificate. */
  readonly tokenFile?: string | undefined;
  /** The certificate of the CA; that in `sslDir` when absent. */
  readonly caFile?: string | undefined;
  /** IP addresses of servers that DNS need not know. */
  readonly addresses: Readonly<Record<string, string>>;
}

/**
 * @param server - `HOST` or `HOST:PORT`; the port is 8140 when absent
 * @throws ServiceError `not-found` when this machine lacks the key or a certificate
 */
export async function openOnlineCa(server: string, asker: Asker): Promise<CaClient> {
  const { proof, token } = await proofOf(asker);
  const client = new HttpClient({ addresses: asker.addresses, ...proof });
  const authority = /:\d+$/.test(server) ? server : `${server}:8140`;
  return {
    async request(method, path, body) {
      const isRequest = path.startsWith('certificate_request/');
      const response = await client.send({
        method,
        url: `https://${authority}/puppet-ca/v1/${path}`,
        headers: {
          accept: 'application/json',
          'content-type': isRequest ? 'text/plain' : 'application/json',
          ...token,
        },
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, body: response.body.toString() };
    },
    close: async () => client.close(),
  };
}

async function proofOf({ caFile, certname, sslDir, tokenFile }: Asker) {
  const files = sslFiles(sslDir, certname);
  const ca = await read(caFile ?? files.ca);
  if (tokenFile !== undefined)
    return { proof: { ca }, token: { 'x-authentication': (await read(tokenFile)).trim() } };
  const { certificate, privateKey } = files;
  return {
    proof: { ca, certificate: await read(certificate), privateKey: await read(privateKey) },
    token: {},
  };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ServiceError('not-found', `Could not read file '${path}'`, { cause: error });
  }
}
