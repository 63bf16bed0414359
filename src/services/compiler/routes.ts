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
import type { LargeFormReader } from './termini.ts';
import { type CatalogRequest, decodeCatalogRequest, mergeForm } from './wire.ts';

/** Facts of a node with many disks, packages and custom facts; more is a mistake or an attack. */
const maxFactsBytes = 64 * 1024 * 1024;

export interface CompilerRouteOptions {
  readonly service: CompileService;
  /** What each request for a catalog has to pass. */
  readonly gate: Gate;
  readonly largeForms: LargeFormReader;
  readonly log: Logger;
}

export function compilerRoutes({ gate, largeForms, log, service }: CompilerRouteOptions): readonly Route[] {
  const catalog = indirected(log, (request) => serveCatalog(service, largeForms, request));
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

async function serveCatalog(
  service: CompileService,
  largeForms: LargeFormReader,
  request: HttpRequest,
): Promise<HttpResponse> {
  const certname = (request.params['certname'] ?? '').toLowerCase();
  const decoded = await readRequest(request, certname, largeForms);
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

async function readRequest(
  { body, headers, method, query }: HttpRequest,
  certname: string,
  largeForms: LargeFormReader,
): Promise<CatalogRequest> {
  const bytes = method === 'POST' ? await body() : Buffer.alloc(0);
  if (bytes.length <= largeForms.maxSmallBytes || query.has('facts')) {
    const form = new URLSearchParams(bytes.toString('utf8'));
    return decodeCatalogRequest(mergeForm(query, form), headers.accept);
  }
  const { facts, fields } = await largeForms.read(bytes, certname);
  const form = mergeForm(query, { get: (name) => fields.get(name) ?? null });
  return decodeCatalogRequest(form, headers.accept, facts);
}
