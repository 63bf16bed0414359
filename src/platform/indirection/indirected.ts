/** The frame around the handlers of the Puppet API: paths checked before, errors rendered after. */

import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/index.ts';
import type { Logger } from '../log/index.ts';
import { contentTypes } from './formats.ts';

/**
 * A request that the reference answers with status 500, although the server is sound: a wrong checksum type, a
 * mount that is not there. The message is what follows "Server Error: ".
 */
export class RequestFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RequestFailed';
  }
}

/** Statuses that the Puppet API renders itself, with the title that begins their message. */
const titles: Partial<Record<ServiceErrorReason, readonly [number, string]>> = {
  'bad-request': [400, 'Bad Request'],
  forbidden: [403, 'Not Authorized'],
  'not-found': [404, 'Not Found'],
  'not-acceptable': [406, 'Not Acceptable'],
  'unsupported-media-type': [415, 'Unsupported Media Type'],
  'compile-failed': [500, 'Server Error'],
};

/** Wraps a handler of an endpoint under `/puppet/v3/`. */
export function indirected(log: Logger, handle: Route['handle']): Route['handle'] {
  return async (request) => {
    const refusal = refuseRelativePath(request);
    if (refusal !== undefined) return refusal;
    try {
      return await handle(request);
    } catch (error) {
      const rendered = renderFailure(error);
      if (rendered === undefined) throw error;
      // The request's own line says what was wrong; this one adds where.
      log.debug({ path: request.path, err: error }, 'refused request');
      return { ...rendered, logged: { fields: { error: messageOf(error) } } };
    }
  };
}

/** @returns `undefined` when the HTTP server is to answer for the error */
function renderFailure(error: unknown): HttpResponse | undefined {
  if (error instanceof RequestFailed) return failure(500, `Server Error: ${error.message}`, 'RUNTIME_ERROR');
  if (!(error instanceof ServiceError)) return undefined;
  const known = titles[error.reason];
  if (known === undefined) return undefined;
  const [status, title] = known;
  return failure(status, `${title}: ${error.message}`, error.kind ?? 'RUNTIME_ERROR');
}

function failure(status: number, message: string, issueKind: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': contentTypes.json },
    body: JSON.stringify({ message, issue_kind: issueKind }),
  };
}

/** Puppet Server refuses such paths before its router sees them, in plain text. */
function refuseRelativePath(request: HttpRequest): HttpResponse | undefined {
  const segments = (request.params['*'] ?? '').split('/');
  if (!segments.includes('..') && !segments.includes('.')) return undefined;
  const body = `Invalid relative path (.. or .) in: ${decodedPath(request.path)}`;
  return { status: 400, body, logged: { fields: { error: body } } };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not valid UTF-8: shown as it was sent
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
