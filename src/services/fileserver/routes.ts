/** HTTP for the file server: decode, call, encode. */

import type { HttpRequest, HttpResponse, Route } from '../../platform/http/index.ts';
import { route } from '../../platform/http/index.ts';
import {
  acceptedFormat,
  contentTypes,
  environmentParameter,
  type Format,
  indirected,
  requestKey,
} from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { contentResponse } from './content-response.ts';
import type { FileRequest, FileServer } from './file-server.ts';
import { staticContentHandler } from './static-content.ts';

const metadataFormats: readonly Format[] = ['json', 'pson'];

export function fileserverRoutes(server: FileServer, log: Logger): readonly Route[] {
  const get = (path: string, handle: Route['handle']) =>
    route({ method: 'GET', path, allow: { kind: 'rules' }, takesInPath: ['empty', 'backslash'], handle });
  return [
    get(
      '/puppet/v3/file_metadata/*',
      indirected(log, async (request) => ok(request, await server.metadata(decode(request)))),
    ),
    get(
      '/puppet/v3/file_metadatas/*',
      indirected(log, async (request) => ok(request, await server.metadatas(decode(request)))),
    ),
    get(
      '/puppet/v3/file_content/*',
      indirected(log, async (request) => {
        acceptedFormat(request.headers.accept, ['binary']);
        return contentResponse(await server.content(decode(request)));
      }),
    ),
    get('/puppet/v3/static_file_content/*', indirected(log, staticContentHandler(server))),
  ];
}

function decode(request: HttpRequest): FileRequest {
  const { identity, query } = request;
  return {
    environment: environmentParameter(query),
    key: requestKey(request),
    query,
    certname: identity.kind === 'certificate' ? identity.certname : undefined,
  };
}

function ok(request: HttpRequest, body: Buffer): HttpResponse {
  const format = acceptedFormat(request.headers.accept, metadataFormats);
  return { status: 200, headers: { 'content-type': contentTypes[format] }, body };
}
