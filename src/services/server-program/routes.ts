/** `/infrastructure/v1/program`: the archive, for servers of the installation alone. */

import {
  type HttpRequest,
  type HttpResponse,
  operators,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { ProgramArchive } from './program-archive.ts';

const prefix = '/infrastructure/v1/program';
/** Its name is its digest: a node never gets another one than its catalog names. */
const archiveName = /^(?<sha256>[0-9a-f]{64})\.tar\.gz$/;

/** @returns the path below a primary's URL */
export function programPath(sha256: string): string {
  return `${prefix}/${sha256}.tar.gz`;
}

export function programRoutes(archive: Pick<ProgramArchive, 'open'>): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `${prefix}/:name`,
      // Nothing in it is secret, but it is large: what any client may fetch could keep the primary busy.
      allow: { kind: 'any-of', of: [{ kind: 'infrastructure' }, operators] },
      handle: (request) => serve(request, archive),
    }),
  ];
}

async function serve({ params }: HttpRequest, archive: Pick<ProgramArchive, 'open'>): Promise<HttpResponse> {
  const sha256 = archiveName.exec(params['name'] ?? '')?.groups?.['sha256'];
  const found = sha256 === undefined ? undefined : await archive.open(sha256);
  if (found === undefined)
    return { status: 404, headers: { 'content-type': 'text/plain;charset=utf-8' }, body: 'Not Found' };
  const headers = { 'content-type': 'application/gzip', 'content-length': found.bytes };
  return { status: 200, headers, body: found.stream() };
}
