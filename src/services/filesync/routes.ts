/** `/file-sync/v1/*`: commits, polls, and git's packs for the objects. */

import type { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type HttpRequest,
  type HttpResponse,
  json,
  operators,
  type Route,
  route,
} from '../../platform/http/index.ts';
import type { FileSyncClient } from './client.ts';
import type { CodeVersions } from './code-versions.ts';
import type { CommitOutcome } from './commit-store.ts';
import type { ClientState } from './followers.ts';
import { commitOfAll, renderClientStatus, repositoryId } from './status.ts';
import type { FileSyncStorage } from './storage.ts';
import { CommitWire, decodeBody, invalid, PackWire, PollWire } from './wire.ts';

/** Certificates of compile servers carry this role, as with Puppet Enterprise. */
const compileServers = { kind: 'infrastructure' } as const;
/** Commits of thousands of environments. Larger bodies would keep the main thread busy for longer than 50 ms. */
const maxBodyBytes = 2 * 1024 * 1024;

/** Of the primary. */
export function fileSyncRoutes(storage: FileSyncStorage, now: () => number): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/file-sync/v1/commit',
      allow: operators,
      maxBodyBytes,
      handle: (request) => commit(storage, now, request),
    }),
    route({
      method: 'POST',
      path: '/file-sync/v1/latest-commits',
      allow: compileServers,
      maxBodyBytes,
      handle: (request) => poll(storage, request),
    }),
    route({
      method: 'POST',
      path: '/file-sync/v1/packs',
      allow: compileServers,
      maxBodyBytes,
      handle: (request) => pack(storage, request),
    }),
    route({
      method: 'GET',
      path: '/file-sync/v1/status',
      allow: operators,
      handle: () =>
        json({
          commits: storage.latestCommits(),
          clients: storage.clients().map((client) => renderClient(storage, client)),
        }),
    }),
  ];
}

/** Of every server: brings what is committed live now, and answers with the status afterwards. */
export function forceSyncRoute(client: FileSyncClient, versions: CodeVersions, now: () => number): Route {
  return route({
    method: 'POST',
    path: '/file-sync/v1/force-sync',
    allow: operators,
    maxBodyBytes,
    handle: async (request) => {
      await client.synchronise(request.signal);
      return json(renderClientStatus(client, versions, now).repos);
    },
  });
}

async function commit(
  storage: FileSyncStorage,
  now: () => number,
  request: HttpRequest,
): Promise<HttpResponse> {
  const wire = decodeBody(CommitWire, await request.body());
  const began = now();
  const message = {
    message: wire.message ?? `Commit by ${nameOf(request)}`,
    author: wire.author ?? { name: nameOf(request), email: '' },
  };
  const outcome = await storage.commit(environmentsOf(wire), message);
  const committedMs = now() - began;
  const clients = await waitForClients(storage, wire.wait_ms, request.signal);
  return json({
    ...renderOutcome(outcome),
    timing: { committed_ms: committedMs, live_ms: now() - began },
    clients,
  });
}

/** @returns `undefined` for all */
function environmentsOf(wire: z.infer<typeof CommitWire>): readonly string[] | undefined {
  const { 'commit-all': isAll = false, 'repo-id': repository, 'submodule-id': submodule } = wire;
  if (isAll && (repository !== undefined || submodule !== undefined))
    throw invalid("'commit-all' excludes 'repo-id' and 'submodule-id'");
  if (isAll) return undefined;
  if (repository === undefined) throw invalid("Either 'commit-all' must be true or 'repo-id' must be given");
  if (repository !== repositoryId)
    throw new ServiceError('not-found', `There is no repository '${repository}'`, { kind: 'repo-not-found' });
  return submodule === undefined ? undefined : [submodule.replace(/^.*\//, '')];
}

/** Waits until all clients that are in contact serve the latest commits. */
async function waitForClients(storage: FileSyncStorage, waitMs: number, signal: AbortSignal) {
  await storage.untilServed((client) => storage.isCurrent(client), waitMs, signal);
  const missing = storage.awaitedClients().map((certname) => ({ certname, commits: {}, is_current: false }));
  const present = storage.presentClients().filter(({ isLocal }) => !isLocal);
  return [...present.map((client) => renderClient(storage, client)), ...missing];
}

async function poll(storage: FileSyncStorage, request: HttpRequest): Promise<HttpResponse> {
  const { coming, failures, known, serving, wait_ms: waitMs } = decodeBody(PollWire, await request.body());
  const state = storage.checkIn(nameOf(request), { serving, failures });
  const latest = await storage.waitForCommits({ commits: known, coming }, waitMs, request.signal);
  if (request.signal.aborted) storage.checkOut(state);
  return json(latest);
}

async function pack(storage: FileSyncStorage, request: HttpRequest): Promise<HttpResponse> {
  const { have, suspect, want } = decodeBody(PackWire, await request.body());
  const body = await storage.pack(want, have, suspect);
  return {
    status: 200,
    headers: { 'content-type': 'application/x-git-pack', 'cache-control': 'no-cache' },
    body,
  };
}

function renderOutcome({ commits, failures, leftOut }: CommitOutcome) {
  const submodules = Object.entries(commits).map(([environment, id]) => [
    `environments/${environment}`,
    failures.has(environment) ? failed(failures.get(environment), id) : { commit: id, status: 'ok' },
  ]);
  for (const [environment, message] of failures)
    if (!Object.hasOwn(commits, environment))
      submodules.push([`environments/${environment}`, failed(message)]);
  return {
    [repositoryId]: {
      commit: commitOfAll(commits),
      status: failures.size === 0 ? 'ok' : 'error',
      submodules: Object.fromEntries(submodules),
    },
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  };
}

function failed(message: string | undefined, id?: string) {
  const cause = { type: 'puppetlabs.enterprise.file-sync-common/commit-error', message };
  return { ...(id === undefined ? {} : { commit: id }), status: 'error', cause };
}

function renderClient(storage: FileSyncStorage, client: ClientState) {
  return {
    certname: client.certname,
    commits: client.serving,
    last_check_in_time: new Date(client.lastCheckInMs).toISOString(),
    is_current: storage.isCurrent(client),
  };
}

function nameOf(request: HttpRequest): string {
  return request.identity.kind === 'certificate' ? request.identity.certname : request.identity.address;
}
