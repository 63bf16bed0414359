/** Content as a reply. */

import type { HttpResponse } from '../../platform/http/index.ts';
import { contentTypes } from '../../platform/indirection/index.ts';
import type { ServedContent } from './content.ts';

/** Static content and file content look the same on the wire. */
export function contentResponse({ sizeBytes, body }: ServedContent): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': contentTypes.binary, 'content-length': sizeBytes },
    body,
  };
}
