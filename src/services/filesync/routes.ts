/** `/file-sync/v1/*`: commits, polls, and git's own protocol for the objects. */

import type { Git } from '../../platform/git/index.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import { compileServers, gitRoutes } from './git-routes.ts';
import { waitForCommits } from './sources.ts';
import type { ClientState, Commits, FileSyncStorage } from './storage.ts';
import { CommitWire, decodeJson, PollWire } from './wire.ts';

/** Operators: whoever may administer the CA may deploy. */
const operators = { kind: 'extension', name: 'pp_cli_auth', value: 'true' } as const;
/** A client that has not polled for this long is away: nobody waits for it. */
const clientAwayMs = 60_000;

export function fileSyncRoutes(storage: FileSyncStorage, git: Git, now: () => number): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/file-sync/v1/commit',
      allow: operators,
      handle: (request) => commit(storage, now, request),
    }),
    route({
      method: 'POST',
      path: '/file-sync/v1/latest-commits',
      allow: compileServers,
      handle: (request) => poll(storage, request),
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
    ...gitRoutes(storage, git),
  ];
}

async function commit(
  storage: FileSyncStorage,
  now: () => number,
  request: HttpRequest,
): Promise<HttpResponse> {
  const wire = decodeJson(CommitWire, await request.body());
  const began = now();
  const message = {
    message: wire.message ?? 'commit-all',
    author: wire.author ?? { name: nameOf(request), email: '' },
  };
  const environment = wire['submodule-id']?.replace(/^environments\//, '');
  const commits =
    environment === undefined
      ? await storage.commitAll(message)
      : await storage.commitEnvironment(environment, message);
  const committedMs = now() - began;
  const clients = await waitForClients(storage, now, wire.wait_ms, request.signal);
  return json({
    ...renderCommits(commits),
    timing: { committed_ms: committedMs, live_ms: now() - began },
    clients,
  });
}

/** Waits until all clients that are in contact serve the latest commits. */
async function waitForClients(
  storage: FileSyncStorage,
  now: () => number,
  waitMs: number,
  signal: AbortSignal,
) {
  const deadline = now() + waitMs;
  const present = () =>
    storage.clients().filter((client) => !client.hasLeft && now() - client.lastCheckInMs < clientAwayMs);
  while (!signal.aborted && now() < deadline && !present().every((client) => storage.isCurrent(client)))
    await storage.changed(deadline - now(), signal);
  return present().map((client) => renderClient(storage, client));
}

async function poll(storage: FileSyncStorage, request: HttpRequest): Promise<HttpResponse> {
  const wire = decodeJson(PollWire, await request.body());
  const state = storage.checkIn(nameOf(request), wire.serving);
  const commits = await waitForCommits(storage, wire.known, wire.wait_ms, request.signal);
  if (request.signal.aborted) storage.checkOut(state);
  return json({ commits });
}

function renderCommits(commits: Commits) {
  const submodules = Object.fromEntries(
    Object.entries(commits).map(([environment, id]) => [`environments/${environment}`, { commit: id }]),
  );
  return { 'puppet-code': { submodules } };
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

function json(body: unknown): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: JSON.stringify(body),
  };
}
