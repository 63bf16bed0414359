/** What the compiler learns of files from the file server. */

import { ServiceError } from '../../lib/service-error.ts';
import { RequestFailed } from '../../platform/indirection/index.ts';
import type { FileMetadataRequest, FileMetadataTerminus } from '../../services/compiler/index.ts';
import type { FileRequest, FileServer } from '../../services/fileserver/index.ts';

export function fileMetadata(files: FileServer): FileMetadataTerminus {
  return {
    find: (request) => textOf(() => files.metadata(requestOf(request))),
    search: (request) => textOf(() => files.metadatas(requestOf(request))),
  };
}

function requestOf({ codeId, ...request }: FileMetadataRequest): FileRequest {
  return codeId === null ? request : { ...request, codeId };
}

/** What the file server refuses is the fault of the code that asks for it. */
async function textOf(ask: () => Promise<Buffer>): Promise<string | undefined> {
  try {
    return (await ask()).toString('utf8');
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'not-found') return undefined;
    if (error instanceof RequestFailed)
      throw new ServiceError('compile-failed', error.message, { cause: error });
    throw error;
  }
}
