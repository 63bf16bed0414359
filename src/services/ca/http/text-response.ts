/** Plain-text answers: agents print the body of an error as it is. Failures are rendered by `platform/http`. */

import type { HttpResponse } from '../../../platform/http/index.ts';

export function plain(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}
