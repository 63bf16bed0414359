/** git's smart HTTP protocol, read only: `git fetch` over the server's own mutual TLS. */

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ServiceError } from '../../lib/service-error.ts';
import type { Git, GitProcess } from '../../platform/git/index.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import type { FileSyncStorage } from './storage.ts';

/** Certificates of compile servers carry this role, as with Puppet Enterprise. */
export const compileServers = { kind: 'extension', name: 'pp_auth_role', value: 'pe_compiler' } as const;

const base = '/file-sync/v1/repositories/:repository';

export function gitRoutes(storage: FileSyncStorage, git: Git): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/info/refs`,
      allow: compileServers,
      handle: (request) => advertise(storage, git, request),
    }),
    route({
      method: 'POST',
      path: `${base}/git-upload-pack`,
      allow: compileServers,
      handle: (request) => uploadPack(storage, git, request),
    }),
  ];
}

async function advertise(storage: FileSyncStorage, git: Git, request: HttpRequest): Promise<HttpResponse> {
  if (request.query.get('service') !== 'git-upload-pack')
    throw new ServiceError('forbidden', 'Repositories of file sync can only be fetched from');
  const directory = repositoryDirectory(storage, request);
  const refs = await git.run(['upload-pack', '--stateless-rpc', '--advertise-refs', directory], {
    environment: protocolOf(request),
    signal: request.signal,
  });
  return answer('advertisement', Buffer.concat([Buffer.from('001e# service=git-upload-pack\n0000'), refs]));
}

function uploadPack(storage: FileSyncStorage, git: Git, request: HttpRequest): HttpResponse {
  const child = git.spawn(['upload-pack', '--stateless-rpc', repositoryDirectory(storage, request)], {
    environment: protocolOf(request),
    signal: request.signal,
  });
  // An aborted request ends the process: the client learns that from its connection.
  child.process.on('error', (error) => child.stdout.destroy(error));
  feed(request, child).catch((error: unknown) => child.stdout.destroy(error as Error));
  return answer('result', child.stdout);
}

async function feed(request: HttpRequest, child: GitProcess): Promise<void> {
  child.stderr.resume();
  if (request.headers['content-encoding'] === 'gzip')
    await pipeline(request.stream(), createGunzip(), child.stdin);
  else await pipeline(request.stream(), child.stdin);
}

function repositoryDirectory(storage: FileSyncStorage, request: HttpRequest): string {
  const environment = (request.params['repository'] ?? '').replace(/\.git$/, '');
  if (!(environment in storage.latestCommits()))
    throw new ServiceError('not-found', `There is no repository for environment '${environment}'`);
  return storage.repository(environment).directory;
}

/** The version of the protocol that the client asks for, passed on the way git's own HTTP server does. */
function protocolOf(request: HttpRequest): Record<string, string> {
  const version = request.headers['git-protocol'];
  return typeof version === 'string' && /^version=[0-9]$/.test(version) ? { GIT_PROTOCOL: version } : {};
}

function answer(kind: 'advertisement' | 'result', body: Buffer | Readable): HttpResponse {
  const headers = {
    'content-type': `application/x-git-upload-pack-${kind}`,
    'cache-control': 'no-cache',
  };
  return { status: 200, headers, body };
}
