/** `/infrastructure/v1/*` on the primary. */

import type { z } from 'zod';
import { authorOf } from '../../platform/changes/index.ts';
import {
  type HttpRequest,
  type HttpResponse,
  json,
  operators,
  type Route,
  route,
} from '../../platform/http/index.ts';
import {
  type CreatedJoinToken,
  CreatedJoinTokenWire,
  type DepartureAnswer,
  DepartureWire,
  type DrainAnswer,
  DrainWire,
  type InfrastructureStatus,
  InfrastructureStatusWire,
  type JoinTokenAnswer,
  JoinTokensWire,
} from './answers/wire.ts';
import type { Departures } from './departure.ts';
import { type InstallationsTerminus, installationRoute } from './installations.ts';
import { protocol, protocolHeader, refuseOthers } from './protocol.ts';
import { joinTokenChange, orderedToLeave, type RecordChange, serverLeft } from './server-changes.ts';
import type { ServerRegister } from './server-register.ts';
import { type ListedServer, statusEntries } from './status-entries.ts';
import type { StoredToken } from './store.ts';
import type { TokenRegister } from './token-register.ts';
import {
  type CheckIn,
  CheckInWire,
  decodeBody,
  type MembershipWire,
  type Orders,
  type SharedWire,
  TokenOrderWire,
} from './wire.ts';

export interface InfrastructureRouteOptions {
  readonly servers: ServerRegister;
  readonly tokens: TokenRegister;
  readonly record: RecordChange;
  readonly departures: Departures;
  /** The primary's own report. */
  readonly self: () => Promise<CheckIn>;
  readonly certname: string;
  /** Alternative names that a token allows when nothing else is said. */
  readonly defaultAltNames: readonly string[];
  /** Settings, by name, that servers take over when they join. */
  readonly shared: Readonly<Record<string, string>>;
  /** What Puppet runs are to make of nodes. */
  readonly installations: InstallationsTerminus;
  /** What a catalog takes a worker, on average over the fleet; `undefined` before that is known. */
  readonly meanCompileMs?: () => number | undefined;
  /** The share of all compile servers that is used, in percent; `undefined` while it is not known. */
  readonly capacityUsed?: () => number | undefined;
  /** Nodes that have waited for long. */
  readonly longWaiting?: () => readonly string[];
  /** Ends check-ins that wait. */
  readonly stopping: AbortSignal;
}

const prefix = '/infrastructure/v1';
/** Administrators of the CA decide which servers belong to the installation. */
const servers = { kind: 'infrastructure' } as const;
const editors = { kind: 'any-of', of: [operators, permission('edit')] } as const;
const viewers = { kind: 'any-of', of: [operators, permission('view'), permission('edit')] } as const;
/** With the commits of thousands of environments. */
const maxCheckInBytes = 4 * 1024 * 1024;
const maxTokenBytes = 64 * 1024;
/** A server that leaves is told within this time, and one that vanished is missed soon. */
const longestWaitMs = 4000;

/** On compile servers: a server that joins through one of them learns where the primary is. */
export function membershipRoute(primaryUrl: string): Route {
  return route({
    method: 'GET',
    path: membershipPath,
    allow: servers,
    handle: () => json({ primary: primaryUrl } satisfies z.infer<typeof MembershipWire>),
  });
}

/** There on compile servers alone. */
export const membershipPath = `${prefix}/membership`;

export const sharedPath = `${prefix}/shared-settings`;

export function infrastructureRoutes(options: InfrastructureRouteOptions): readonly Route[] {
  return [statusRoute(options), ...serverRoutes(options), ...tokenRoutes(options)];
}

function statusRoute(options: InfrastructureRouteOptions): Route {
  return route({
    method: 'GET',
    path: `${prefix}/status`,
    allow: viewers,
    shapes: { answer: InfrastructureStatusWire },
    handle: () => status(options),
  });
}

function serverRoutes(options: InfrastructureRouteOptions): readonly Route[] {
  const leave = async (certname: string, { identity, query }: HttpRequest) => {
    const isForced = query.get('force') === 'true';
    const cause = `${authorOf(identity).name} asks for it`;
    const { drained, wasDeactivated, wasRevoked } = await options.departures.leave(certname, isForced, cause);
    await options.record(serverLeft(certname, authorOf(identity)));
    const answer = { certname, drained, revoked: wasRevoked, deactivated: wasDeactivated };
    return json(answer satisfies DepartureAnswer);
  };
  const drain = async ({ identity, params }: HttpRequest) => {
    const certname = params['certname'] ?? '';
    await options.departures.order(certname, `${authorOf(identity).name} ordered it`);
    await options.record(orderedToLeave(certname, identity));
    return json({ certname, state: 'leaving' } satisfies DrainAnswer, 202);
  };
  return [
    route({
      method: 'GET',
      path: sharedPath,
      allow: servers,
      handle(request) {
        refuseOthers(nameOf(request), request.headers[protocolHeader]);
        return json({ settings: options.shared } satisfies z.infer<typeof SharedWire>);
      },
    }),
    route({
      method: 'POST',
      path: `${prefix}/check-in`,
      allow: servers,
      maxBodyBytes: maxCheckInBytes,
      handle: (request) => checkIn(options, request),
    }),
    route({
      method: 'POST',
      path: `${prefix}/leave`,
      allow: servers,
      handle: (request) => leave(nameOf(request), request),
    }),
    route({
      method: 'DELETE',
      path: `${prefix}/servers/:certname`,
      allow: editors,
      shapes: { answer: DepartureWire },
      handle: (request) => leave(request.params['certname'] ?? '', request),
    }),
    route({
      method: 'POST',
      path: `${prefix}/servers/:certname/drain`,
      allow: editors,
      shapes: { answer: DrainWire },
      handle: drain,
    }),
    installationRoute(options.installations, servers),
  ];
}

function tokenRoutes(options: InfrastructureRouteOptions): readonly Route[] {
  const { tokens } = options;
  return [
    route({
      method: 'POST',
      path: `${prefix}/tokens`,
      allow: editors,
      shapes: { body: TokenOrderWire, answer: CreatedJoinTokenWire },
      maxBodyBytes: maxTokenBytes,
      handle: (request) => createToken(options, request),
    }),
    route({
      method: 'GET',
      path: `${prefix}/tokens`,
      allow: editors,
      shapes: { answer: JoinTokensWire },
      handle: async () => json((await tokens.all()).map(renderToken)),
    }),
    route({
      method: 'DELETE',
      path: `${prefix}/tokens/:id`,
      allow: editors,
      async handle({ identity, params }) {
        const id = params['id'] ?? '';
        await tokens.remove(id);
        await options.record(joinTokenChange(id, identity));
        return { status: 204 };
      },
    }),
  ];
}

/** Answers at once when there is something to say, otherwise after a while: the next check-in follows then. */
async function checkIn(options: InfrastructureRouteOptions, request: HttpRequest): Promise<HttpResponse> {
  const { servers: register, stopping } = options;
  const certname = nameOf(request);
  // Before its body is read, which may have another form.
  refuseOthers(certname, request.headers[protocolHeader]);
  const report = decodeBody(CheckInWire, await request.body());
  const { identity } = request;
  if (identity.kind !== 'certificate') throw new Error('unreachable: servers show certificates');
  const orders = await register.checkIn(identity, report);
  const waitMs = Math.min(Number(request.query.get('wait_ms') ?? 0) || 0, longestWaitMs);
  const meanMs = options.meanCompileMs?.();
  const used = options.capacityUsed?.();
  const known = {
    protocol,
    ...(meanMs === undefined ? {} : { mean_compile_ms: meanMs }),
    ...(used === undefined ? {} : { capacity_used: used }),
  };
  if (orders.leave || waitMs <= 0) return json({ ...orders, ...known } satisfies Orders);
  const signal = AbortSignal.any([request.signal, stopping]);
  const leave = await register.until(() => register.find(certname)?.leaveOrder !== undefined, waitMs, signal);
  const waiting = options.longWaiting?.() ?? [];
  const told = waiting.length === 0 ? known : { ...known, long_waiting: [...waiting] };
  return json({ leave, ...told } satisfies Orders);
}

async function status(options: InfrastructureRouteOptions): Promise<HttpResponse> {
  const listed = await listServers(options);
  return json({
    servers: listed.map(({ certname, joinedAt, lastContactAt, report, role, state }) => ({
      certname,
      role,
      state,
      url: report?.url ?? null,
      version: report?.version ?? null,
      joined_at: joinedAt?.toISOString() ?? null,
      last_contact: lastContactAt?.toISOString() ?? null,
      code: report?.code ?? {},
      load: report?.load ?? null,
      undelivered: report?.undelivered ?? 0,
      certificate_ends_at: report?.certificate_ends_at ?? null,
    })),
    services: listed.flatMap(statusEntries),
  } satisfies InfrastructureStatus);
}

async function listServers(options: InfrastructureRouteOptions): Promise<readonly ListedServer[]> {
  const own = await options.self();
  const primary: ListedServer = {
    certname: options.certname,
    role: 'primary',
    state: own.state,
    joinedAt: undefined,
    lastContactAt: new Date(),
    report: own,
  };
  const others = options.servers.all().map(
    (server): ListedServer => ({
      certname: server.certname,
      role: server.report?.role ?? 'compile server',
      state: options.servers.stateOf(server),
      joinedAt: server.joinedAt,
      lastContactAt: server.lastContactAt,
      report: server.report,
    }),
  );
  return [primary, ...others];
}

async function createToken(options: InfrastructureRouteOptions, request: HttpRequest): Promise<HttpResponse> {
  const order = decodeBody(TokenOrderWire, await request.body());
  const created = await options.tokens.create({
    certnames: order.certnames,
    altNames: order.alt_names ?? options.defaultAltNames,
    createdBy: nameOf(request),
    ...(order.uses === undefined ? {} : { uses: order.uses }),
    ...(order.ttl_seconds === undefined ? {} : { ttlSeconds: order.ttl_seconds }),
  });
  await options.record(joinTokenChange(created.id, request.identity, order.certnames));
  return json(created satisfies CreatedJoinToken);
}

function renderToken(token: StoredToken): JoinTokenAnswer {
  return {
    id: token.id,
    created_at: token.createdAt.toISOString(),
    created_by: token.createdBy,
    expires_at: token.expiresAt?.toISOString() ?? null,
    uses_left: token.usesLeft ?? null,
    certnames: token.certnames,
    alt_names: token.altNames,
  };
}

function nameOf({ identity }: HttpRequest): string {
  switch (identity.kind) {
    case 'certificate':
      return identity.certname;
    case 'user':
      return identity.login;
    case 'anonymous':
      return identity.address;
  }
}

/** Users whose token permits it. */
function permission(action: 'view' | 'edit') {
  return { kind: 'permission', permission: { objectType: 'infrastructure', action } } as const;
}
