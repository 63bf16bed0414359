/** `/puppet/v3/catalog` and `/puppet/v3/node`. */

import {
  type Gate,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../platform/http/index.ts';
import { contentTypes, environmentParameter, indirected } from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CompileService } from './compile-service.ts';
import { decodeCatalogRequest, mergeForm } from './wire.ts';

/** Facts of a node with many disks, packages and custom facts; more is a mistake or an attack. */
const maxFactsBytes = 64 * 1024 * 1024;

/** @param gate - what each request for a catalog has to pass */
export function compilerRoutes(service: CompileService, log: Logger, gate: Gate): readonly Route[] {
  const catalog = indirected(log, (request) => serveCatalog(service, request));
  return [
    route({
      method: 'POST',
      path: '/puppet/v3/catalog/:certname',
      allow: { kind: 'rules' },
      maxBodyBytes: maxFactsBytes,
      gate,
      handle: catalog,
    }),
    route({
      method: 'GET',
      path: '/puppet/v3/catalog/:certname',
      allow: { kind: 'rules' },
      gate,
      handle: catalog,
    }),
    route({
      method: 'GET',
      path: '/puppet/v3/node/:certname',
      allow: { kind: 'rules' },
      handle: indirected(log, async ({ identity, params, query, signal }) => {
        const environment = environmentParameter(query);
        const node = await service.findNode(params['certname'] ?? '', environment, identity, signal);
        return {
          status: 200,
          headers: { 'content-type': contentTypes.json },
          body: node,
        };
      }),
    }),
  ];
}

async function serveCatalog(service: CompileService, request: HttpRequest): Promise<HttpResponse> {
  const body = request.method === 'POST' ? (await request.body()).toString('utf8') : '';
  const decoded = decodeCatalogRequest(mergeForm(request.query, body), request.headers.accept);
  const certname = (request.params['certname'] ?? '').toLowerCase();
  const catalog = await service.compile(certname, decoded, request.identity, request.signal);
  const { body: bytes, ...fields } = catalog;
  return {
    status: 200,
    headers: { 'content-type': contentTypes[decoded.format] },
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    isBodyDisposable: true,
    logged: { message: 'compiled catalog', fields },
  };
}
