/** `/pdb/query/v4`: passes queries on. */

import {
  type Access,
  clientKey,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import { queryMount } from './answer-query.ts';
import { type Observe, observed } from './observe.ts';
import type { QueryCall } from './query-call.ts';

/** Titles and values of facts are segments. */
const valuesInPath = ['empty', 'slash', 'backslash'] as const;

/** Queries with thousands of names in an array. */
const maxBodyBytes = 16 * 1024 * 1024;

/** All but the first two are told what queries are made with. */
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const;

/** Answers queries somewhere else than in the thread that serves HTTP. */
export interface QueryAnswerer {
  answer(call: QueryCall, signal: AbortSignal, client?: string): Promise<HttpResponse>;
}

export function queryRoutes(answerer: QueryAnswerer, allow: Access, observe: Observe): readonly Route[] {
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const call = await readCall(request);
    return await observed(observe, endpointOf(request.path), () =>
      answerer.answer(call, request.signal, clientKey(request.identity)),
    );
  };
  return methods.flatMap((method) =>
    [queryMount, `${queryMount}/*`].map((path) =>
      route({ method, path, allow, maxBodyBytes, takesInPath: valuesInPath, handle }),
    ),
  );
}

/** The same queries on the port that compile servers use anyway: whatever they accept, the answer is JSON. */
export function memberQueryRoutes(answerer: QueryAnswerer, allow: Access): readonly Route[] {
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const call = await readCall(request);
    const { signal } = request;
    return await answerer.answer(
      { ...call, accept: undefined, contentType: undefined, host: undefined },
      signal,
    );
  };
  return (['GET', 'POST'] as const).flatMap((method) =>
    [queryMount, `${queryMount}/*`].map((path) =>
      route({ method, path, allow, takesInPath: valuesInPath, handle }),
    ),
  );
}

async function readCall(request: HttpRequest): Promise<QueryCall> {
  const { method, path, query, headers } = request;
  return {
    method,
    path,
    search: query.toString(),
    body: method === 'POST' ? await request.body() : undefined,
    accept: headers.accept,
    contentType: headers['content-type'],
    host: headers.host,
  };
}

/** Paths are the client's: only those of the API are told apart. */
function endpointOf(path: string): string {
  const [name = ''] = path.slice(queryMount.length + 1).split('/');
  return endpoints.has(name) ? `${queryMount}/${name}` : queryMount;
}

const endpoints: ReadonlySet<string> = new Set([
  'aggregate-event-counts',
  'catalogs',
  'edges',
  'environments',
  'event-counts',
  'events',
  'fact-contents',
  'fact-names',
  'fact-paths',
  'facts',
  'factsets',
  'inventory',
  'nodes',
  'package-inventory',
  'packages',
  'producers',
  'reports',
  'resources',
]);
