/** `/pdb/query/v4`: hands queries to whoever answers them. */

import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import { queryMount } from './answer-query.ts';
import type { QueryCall } from './query-call.ts';

/** Queries with thousands of names in an array. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Answers queries somewhere else than in the thread that serves HTTP. */
export interface QueryAnswerer {
  answer(call: QueryCall, signal: AbortSignal): Promise<HttpResponse>;
}

export function queryRoutes(answerer: QueryAnswerer, allow: Access): readonly Route[] {
  const handle = async (request: HttpRequest): Promise<HttpResponse> =>
    await answerer.answer(await readCall(request), request.signal);
  return ['GET', 'POST'].flatMap((method) =>
    [queryMount, `${queryMount}/*`].map((path) =>
      route({ method: method as 'GET' | 'POST', path, allow, maxBodyBytes, handle }),
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
