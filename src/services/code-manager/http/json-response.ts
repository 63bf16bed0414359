import type { HttpResponse } from '../../../platform/http/index.ts';

/** An answer of JSON. */
export function jsonResponse(status: number, body: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: JSON.stringify(body),
  };
}
