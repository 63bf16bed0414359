import type { HttpResponse } from './route.ts';

/** An answer of JSON, in the words that Puppet's services say it with. */
export function json(body: unknown, status = 200): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: JSON.stringify(body),
  };
}
