/** HTTP for the file bucket: decode, call, encode. */

import { ServiceError } from '../../lib/service-error.ts';
import { type HttpRequest, type Route, route } from '../../platform/http/index.ts';
import {
  acceptedFormat,
  bodyFormat,
  contentTypes,
  indirected,
  RequestFailed,
  requestKey,
  requireEnvironment,
} from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { BucketKey, FileBucket } from './bucket.ts';
import { unifiedDiff } from './diff.ts';
import type { EnvironmentTerminus } from './termini.ts';

const path = '/puppet/v3/file_bucket_file/*';
/** Digests are followed by a slash and an absolute path. */
const takesInPath = ['empty', 'backslash'] as const;
const headers = { 'content-type': contentTypes.binary };

/** The largest file that is taken, in bytes: it is held in memory while it is stored. */
const maxBodyBytes = 256 * 1024 * 1024;

export function filebucketRoutes(
  bucket: FileBucket,
  environments: EnvironmentTerminus,
  log: Logger,
): readonly Route[] {
  const decode = (request: HttpRequest) => {
    requireEnvironment(request.query, environments);
    return requestKey(request);
  };
  return [
    route({
      method: 'GET',
      path,
      allow: { kind: 'rules' },
      takesInPath,
      handle: indirected(log, async (request) => {
        const key = decode(request);
        if (request.query.get('list_all') === 'true') {
          throw new RequestFailed('Listing remote file buckets is not allowed');
        }
        const body = await find(bucket, bucket.parseKey(key), request);
        if (body === undefined) throw missing(key);
        acceptedFormat(request.headers.accept, ['binary']);
        return { status: 200, headers: { ...headers, 'content-length': body.length }, body };
      }),
    }),
    route({
      method: 'HEAD',
      path,
      allow: { kind: 'rules' },
      takesInPath,
      handle: indirected(log, async (request) => {
        const key = decode(request);
        if (!(await bucket.has(bucket.parseKey(key)))) throw missing(key);
        return { status: 200 };
      }),
    }),
    route({
      method: 'PUT',
      path,
      allow: { kind: 'rules' },
      takesInPath,
      maxBodyBytes,
      handle: indirected(log, async (request) => {
        const key = decode(request);
        acceptedFormat(request.headers.accept ?? contentTypes.binary, ['binary']);
        bodyFormat(request.headers['content-type'], ['binary']);
        const { path: original } = bucket.parseKey(key);
        await bucket.save(await request.body(), original);
        return { status: 200, headers, body: '' };
      }),
    }),
  ];
}

async function find(bucket: FileBucket, key: BucketKey, request: HttpRequest): Promise<Buffer | undefined> {
  const content = await bucket.read(key);
  const other = request.query.get('diff_with');
  if (content === undefined || other === null) return content;
  const [from, to] = [await bucket.contentFile(key.digest), await bucket.contentFile(other)];
  if (from === undefined || to === undefined) throw new RequestFailed(`could not find diff_with ${other}`);
  return await unifiedDiff(from, to, request.signal);
}

function missing(key: string): ServiceError {
  return new ServiceError('not-found', `Could not find file_bucket_file ${key}`, {
    kind: 'RESOURCE_NOT_FOUND',
  });
}
