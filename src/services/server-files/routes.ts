/** `/server-files/v1/files` on the primary. */

import { X509Certificate } from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';
import {
  changeWithin,
  type HttpRequest,
  type HttpResponse,
  preferredWait,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { OfferedFiles } from './offered-files.ts';
import { seal } from './seal.ts';
import { encodeAnswer, encodePayload } from './wire.ts';

export const filesPath = '/server-files/v1/files';

export interface ServerFilesRouteOptions {
  readonly files: OfferedFiles;
  /** Whether a server of the installation compiles, as far as is known: others need no files. */
  readonly mayHaveFiles: (certname: string) => boolean;
  /** Lets go of servers that wait. */
  readonly stopping: AbortSignal;
}

/**
 * Answers with all files, encrypted for the certificate of the server that asks, or with 304 when `Prefer: wait=SECONDS`
 * (RFC 7240) is over and they are as `If-None-Match` has them.
 */
export function serverFilesRoute({ files, mayHaveFiles, stopping }: ServerFilesRouteOptions): Route {
  return route({
    method: 'GET',
    path: filesPath,
    allow: { kind: 'infrastructure' },
    async handle(request) {
      const { certname, certificate } = ownerOf(request);
      if (!mayHaveFiles(certname))
        throw new ServiceError(
          'forbidden',
          `${certname} is not a compile server that stays: it gets no files`,
        );
      const known = request.headers['if-none-match'];
      const waited = { seconds: preferredWait(request) ?? 0, signals: [request.signal, stopping] };
      // The first look at them takes a moment.
      if (files.current === undefined || etagOf(files.current.digest) === known)
        await changeWithin({ ...waited, onChange: (listener) => files.onChange(listener) });
      return answer(files, certificate, known);
    },
  });
}

function answer({ current }: OfferedFiles, certificate: Buffer, known: unknown): HttpResponse {
  if (current === undefined) throw new ServiceError('unavailable', 'The files are not read yet');
  const { digest, payload } = current;
  const etag = etagOf(digest);
  if (etag === known) return { status: 304, headers: { etag } };
  const { publicKey } = new X509Certificate(certificate);
  const body = encodeAnswer(digest, seal(publicKey, encodePayload(payload)));
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', etag },
    body,
    isBodyDisposable: true,
  };
}

function ownerOf({ identity }: HttpRequest): { readonly certname: string; readonly certificate: Buffer } {
  if (identity.kind !== 'certificate') throw new Error('unreachable: servers show certificates');
  return { certname: identity.certname, certificate: identity.raw };
}

function etagOf(digest: string): string {
  return `"${digest}"`;
}
