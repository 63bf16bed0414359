/**
 * Services of all servers as Puppet Enterprise's `puppet infrastructure status` lists them: one entry for each service of
 * each server, with the same fields and names.
 */

import type { ServiceAnswer } from './answers/wire.ts';
import { protocol } from './protocol.ts';
import type { CheckIn, MemberRole } from './wire.ts';

/** A server as the list sees it. */
export interface ListedServer {
  readonly certname: string;
  readonly role: 'primary' | MemberRole;
  readonly state: string;
  readonly lastContactAt: Date | undefined;
  readonly joinedAt: Date | undefined;
  readonly report: CheckIn | undefined;
}

interface ServiceName {
  readonly service: string;
  readonly displayName: string;
  readonly type: string;
  /** Appended to the server's URL, or a port and a path of its own. */
  readonly path?: string;
  readonly port?: number;
}

/** By the name under which a service is registered with the status API; others are shown under that. */
const names: Readonly<Record<string, ServiceName>> = {
  master: { service: 'pe-master', displayName: 'Puppet Server', type: 'master' },
  ca: { service: 'certificate-authority-service', displayName: 'Certificate Authority', type: 'ca' },
  'file-sync-storage-service': {
    service: 'file-sync-storage-service',
    displayName: 'File Sync Storage Service',
    type: 'file-sync-storage',
  },
  'file-sync-client-service': {
    service: 'file-sync-client-service',
    displayName: 'File Sync Client Service',
    type: 'file-sync-client',
  },
  'classifier-service': {
    service: 'classifier-service',
    displayName: 'Classifier',
    type: 'classifier',
    port: 4433,
    path: 'classifier-api',
  },
  'rbac-service': {
    service: 'rbac-service',
    displayName: 'RBAC',
    type: 'rbac',
    port: 4433,
    path: 'rbac-api',
  },
  'code-manager-service': {
    service: 'code-manager-service',
    displayName: 'Code Manager',
    type: 'code-manager',
    port: 8170,
  },
  'puppetdb-status': {
    service: 'puppetdb-status',
    displayName: 'PuppetDB',
    type: 'puppetdb',
    port: 8081,
    path: 'pdb',
  },
  'server-files-service': {
    service: 'server-files-service',
    displayName: 'Server Files',
    type: 'server-files',
  },
  'disk-service': { service: 'disk-service', displayName: 'Disks', type: 'disk' },
  'orchestrator-service': {
    service: 'orchestrator-service',
    displayName: 'Orchestrator',
    type: 'orchestrator',
    port: 8143,
    path: 'orchestrator',
  },
};

const dayMs = 24 * 60 * 60 * 1000;
const alertDays = 14;

/** Other names of listed disks, and the process itself. Disks are listed when they are full. */
const unlisted: readonly string[] = ['server', 'status-service', 'infrastructure-service'];

/** What a server that never said anything has at least. */
const expected: readonly string[] = ['master', 'file-sync-client-service'];

export function statusEntries(server: ListedServer): readonly ServiceAnswer[] {
  const services = Object.entries(server.report?.services ?? {})
    .filter(
      ([name, { state }]) => !unlisted.includes(name) && !(name === 'disk-service' && state === 'running'),
    )
    .map(([name]) => name);
  return (services.length === 0 ? expected : services).map((name) => entryOf(server, name));
}

function entryOf(server: ListedServer, registered: string): ServiceAnswer {
  const { certname, report, state } = server;
  const name = names[registered] ?? { service: registered, displayName: registered, type: registered };
  const known = report?.services[registered];
  const isReachable = !['unreachable', 'stopped', 'drained', 'joining'].includes(state);
  const details =
    name.type === 'master' && isReachable
      ? { ...asObject(known?.status), ...detailsOf(server) }
      : known?.status;
  return {
    service: name.service,
    state: isReachable ? (known?.state ?? 'unknown') : state,
    status: isReachable ? (details ?? null) : null,
    display_name: name.displayName,
    server: certname,
    url: urlOf(report?.url ?? `https://${certname}:8140`, { ...name, ...portOf(known?.port) }),
    type: name.type,
    alerts: isReachable
      ? [...(known?.active_alerts ?? []), ...certificateAlerts(server, name), ...protocolAlerts(server, name)]
      : [],
  };
}

/** What only our own servers tell. */
function detailsOf({ lastContactAt, report, role }: ListedServer): Readonly<Record<string, unknown>> {
  return {
    role,
    code: report?.code ?? {},
    load: report?.load ?? null,
    undelivered: report?.undelivered ?? 0,
    last_contact: lastContactAt?.toISOString() ?? null,
  };
}

/** Servers renew their certificates long before: who is here did not manage to. */
function certificateAlerts(
  { lastContactAt, report }: ListedServer,
  { type }: ServiceName,
): ServiceAnswer['alerts'] {
  const ends = report?.certificate_ends_at;
  if (type !== 'master' || ends === undefined || lastContactAt === undefined) return [];
  const days = Math.floor((Date.parse(ends) - lastContactAt.getTime()) / dayMs);
  if (days >= alertDays) return [];
  if (days < 0) return [{ severity: 'error', message: `Its certificate ended on ${ends}` }];
  return [{ severity: 'warning', message: `Its certificate ends in ${days} days` }];
}

/** Servers are updated one after the other; one that stays behind is refused after the next update. */
function protocolAlerts({ report }: ListedServer, { type }: ServiceName): ServiceAnswer['alerts'] {
  if (type !== 'master' || report === undefined || report.protocol === protocol) return [];
  const message = `It speaks protocol ${report.protocol}, the primary ${protocol}: update the older of the two`;
  return [{ severity: 'warning', message }];
}

function portOf(port: number | undefined): Pick<ServiceName, 'port'> {
  return port === undefined ? {} : { port };
}

function urlOf(base: string, { path = '', port }: ServiceName): string {
  const url = new URL(base);
  if (port !== undefined) url.port = String(port);
  url.pathname = `/${path}`;
  return url.toString();
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
