/** The one place where failures become statuses, in the form that the clients of each path expect. */

import { exhaustionOf } from '../../lib/exhaustion.ts';
import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';
import type { HttpResponse } from './route.ts';

const statuses: Readonly<Record<ServiceErrorReason, number>> = {
  'not-modified': 304,
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'not-acceptable': 406,
  timeout: 408,
  conflict: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  unprocessable: 422,
  'compile-failed': 500,
  'bad-gateway': 502,
  unavailable: 503,
};

/** Names of statuses as Puppet Server sends them, in the status line and before messages. */
export const statusNames: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Not Authorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

const issueKinds: Partial<Readonly<Record<ServiceErrorReason, string>>> = {
  'not-found': 'RESOURCE_NOT_FOUND',
  'not-acceptable': 'UNSUPPORTED_FORMAT',
  'unsupported-media-type': 'UNSUPPORTED_MEDIA_TYPE',
};

/**
 * The answer to a failure.
 *
 * Under `/puppet` it is JSON with the status' name before the message (`Not Found: ...`), which is added here unless
 * the message has it already; under `/puppet-ca` plain text; elsewhere JSON with `kind`, `msg` and, where there
 * are any, `details`.
 * A `retryAfterSeconds` among the details becomes the header that agents obey.
 */
export function errorResponse(error: ServiceError, path: string): HttpResponse {
  const status = statuses[error.reason];
  if (status === 304) return { status };
  const retryAfter = error.details['retryAfterSeconds'];
  const headers = typeof retryAfter === 'number' ? { 'Retry-After': String(retryAfter) } : {};
  const { contentType, body } = errorBody(error, status, path);
  return { status, headers: { ...headers, 'Content-Type': contentType }, body };
}

/**
 * What a client is told of an unexpected failure: that the disk is full, that what it sent is nested beyond the
 * stack (reading JSON takes less of that than working on it), or nothing but that there is a bug.
 */
export function unexpectedResponse(error: unknown, path: string): HttpResponse {
  if (exhaustionOf(error) === 'stack')
    return errorResponse(new ServiceError('bad-request', 'The request is nested too deeply'), path);
  if (isDiskFull(error))
    return errorResponse(new ServiceError('unavailable', 'no space left on device'), path);
  const message = 'Internal Server Error: the request could not be processed; see the server log for details';
  return errorResponse(new ServiceError('compile-failed', message, { kind: 'RUNTIME_ERROR' }), path);
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function errorBody(error: ServiceError, status: number, path: string): { contentType: string; body: string } {
  if (isUnder(path, '/puppet-ca')) return { contentType: 'text/plain;charset=utf-8', body: error.message };
  if (isUnder(path, '/puppet'))
    return { contentType: 'application/json;charset=utf-8', body: puppetBody(error, status) };
  return { contentType: 'application/json;charset=utf-8', body: detailedBody(error) };
}

function detailedBody({ details, kind, message, reason }: ServiceError): string {
  const brief = { kind: kind ?? reason, msg: message };
  if (Object.keys(details).length === 0) return JSON.stringify(brief);
  try {
    return JSON.stringify({ ...brief, details });
  } catch {
    // What somebody sent may be nested more deeply than can be written: reading takes less of the stack.
    return JSON.stringify(brief);
  }
}

function puppetBody(error: ServiceError, status: number): string {
  const prefix = `${statusNames[status] ?? 'Server Error'}: `;
  const message = error.message.startsWith(prefix) ? error.message : prefix + error.message;
  const kind = error.kind ?? issueKinds[error.reason] ?? 'RUNTIME_ERROR';
  return JSON.stringify({ message, issue_kind: kind });
}

/** Whether a path belongs to the API that is mounted at `mount`. */
export function isUnder(path: string, mount: string): boolean {
  return path.startsWith(mount) && (path.length === mount.length || path[mount.length] === '/');
}
