/** Answers of the classifier. */

import type { HttpResponse } from '../../platform/http/index.ts';

export function json(body: unknown, status = 200): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json;charset=utf-8' },
    body: JSON.stringify(body),
  };
}
