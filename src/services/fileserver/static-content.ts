/** `/puppet/v3/static_file_content`: a file of exactly the version that a catalog was compiled from. */

import type { HttpRequest, HttpResponse, Route } from '../../platform/http/index.ts';
import { contentResponse } from './content-response.ts';
import type { FileServer } from './file-server.ts';

/** Module path folder, module, one of the folders that agents may read, and what is in it. */
const servedPath = /^[^/]+\/[^/]+\/(files|lib|scripts|tasks)\/.+$/s;

/** Answers as Puppet Server does, whose texts here are plain and have no titles. */
export function staticContentHandler(server: FileServer): Route['handle'] {
  return async (request) => {
    const environment = request.query.get('environment') ?? '';
    const codeId = request.query.get('code_id') ?? '';
    const path = pathOf(request);
    const refusal = refuse(environment, codeId, path);
    if (refusal !== undefined) return refusal;
    const content = await server.staticContent(environment, codeId, path);
    if (content !== undefined) return contentResponse(content);
    return plain(
      404,
      `Not Found: Could not find ${path} of code-id '${codeId}' in environment '${environment}'`,
    );
  };
}

function refuse(environment: string, codeId: string, path: string): HttpResponse | undefined {
  if (environment === '' || codeId === '' || path === '') {
    const required = 'requires an environment, a code-id, and a file-path';
    return plain(400, `Error: A /static_file_content request ${required}`);
  }
  if (!/^\w+$/.test(environment)) {
    return plain(400, `The environment must be purely alphanumeric, not '${environment}'`);
  }
  if (/[^-_:;a-zA-Z0-9]/.test(codeId)) {
    const allowed = "Must contain only alpha-numerics and '-', '_', ';', or ':'";
    return plain(400, `Invalid code-id '${codeId}'. ${allowed}`);
  }
  if (!servedPath.test(path)) {
    const served = 'a file within the files, lib, scripts, or tasks directory of a module';
    return plain(403, `Request Denied: A /static_file_content request must be ${served}.`);
  }
  return undefined;
}

function plain(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}

function pathOf(request: HttpRequest): string {
  return (request.params['*'] ?? '').replace(/\/{2,}/g, '/').replace(/^\//, '');
}
