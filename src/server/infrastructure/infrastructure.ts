/** The primary's register of the installation's servers, joined with the authority and the status API. */

import { X509Certificate } from 'node:crypto';
import type { Change } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CertificateAuthority, JoinTerminus } from '../../services/ca/index.ts';
import {
  type CheckIn,
  Departures,
  InfrastructureStore,
  type InstallationsTerminus,
  infrastructureRoutes,
  type KnownServer,
  type MemberGroupsTerminus,
  type MemberRole,
  type NodeMemoryTerminus,
  ServerRegister,
  TokenRegister,
} from '../../services/infrastructure/index.ts';
import { type ListedServer, loadBalancerRoutes } from '../../services/load-balancer/index.ts';
import type { Alert, StatusProvider } from '../../services/status/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import { periodically } from '../periodic.ts';
import type { ServedPart } from '../served-part.ts';
import { sharedSettings } from './shared-settings.ts';

export interface InfrastructureOptions {
  readonly ca: CertificateAuthority;
  /** The primary's own report. */
  readonly self: () => Promise<CheckIn>;
  /** Absent without a PuppetDB. */
  readonly memory: NodeMemoryTerminus | undefined;
  /** Absent without a classifier. */
  readonly groups: MemberGroupsTerminus | undefined;
  /** Who has rights, besides those whose certificates were revoked. */
  readonly rights: ServerRights;
  /** What Puppet runs make of nodes. */
  readonly installations: InstallationsTerminus;
  /** Keeps what becomes of servers. */
  readonly record: (change: Change) => Promise<void>;
  /** Told of each server that has left for good. */
  readonly onForgotten: (certname: string) => void;
  /** What a catalog takes a worker, on average over the fleet; `undefined` before that is known. */
  readonly meanCompileMs: () => number | undefined;
  /** Nodes that servers told to retry later long ago. */
  readonly longWaiting: () => readonly string[];
  /** Told what each server says of itself. */
  readonly onReport: (certname: string, report: CheckIn) => void;
}

export interface ServerRights {
  /** Whether the owner of a certificate is a server; true when the certificate is no longer known. */
  readonly has: (certname: string, serial: string) => Promise<boolean>;
  /** @returns a function that ends it */
  readonly onChange: (listener: () => void) => () => void;
}

/** A compile server in the register. */
export interface RegisteredServer {
  readonly certname: string;
  readonly state: string;
  readonly report: CheckIn | undefined;
  /** Since its last check-in. */
  readonly silentMs: number;
  readonly isOrderedToLeave: boolean;
}

export interface Infrastructure extends ServedPart {
  /** Compile servers that had not stopped when this server did. */
  readonly expected: readonly string[];
  /** Servers that have joined, and what for. */
  readonly members: () => readonly { readonly certname: string; readonly role: MemberRole }[];
  /** Compile servers with their state, and what they said last. */
  readonly compileServers: () => readonly RegisteredServer[];
  /** The servers that have joined, with what they said last. */
  readonly servers: () => readonly {
    readonly certname: string;
    readonly state: string;
    readonly report: CheckIn | undefined;
  }[];
  /** Tells a server to drain and to leave. The order is stored; a repetition does nothing. */
  readonly orderToLeave: (certname: string, cause: string) => Promise<void>;
  /** Revokes a server's certificate and removes all its traces, without asking it. A repetition does nothing. */
  readonly forget: (certname: string) => Promise<void>;
  /** Tells of servers whose proof was accepted. */
  readonly onGranted: (listener: (certname: string) => void) => void;
  /** What the authority asks about secrets. */
  readonly joins: JoinTerminus;
  /** Tokens for servers that a driver launches. */
  readonly grants: { readonly issue: (certname: string) => Promise<string> };
  /** SHA-256 of the CA's first certificate, hexadecimal. */
  readonly caFingerprint: () => string;
  /** Servers are told what is used of all, in percent. @param read - `undefined` while it is not known */
  readonly tellCapacity: (read: () => number | undefined) => void;
  /** The ports of the primary are open: silence of servers counts from now on. */
  readonly noteListening: () => void;
  /** A server has got its certificate in another way. */
  readonly noteJoined: (certname: string) => Promise<void>;
  /** Lets go of servers that wait for an answer, so that the primary can drain. */
  stop(): Promise<void>;
}

const lookIntervalMs = 1000;
/** In case a change was missed: each is looked at once it is there. */
const dismissIntervalMs = 60_000;
/** Of the server: its delay, its requests, its deliveries. */
const drainTimeoutMs = 120_000;

export async function openInfrastructure(
  { database, log: root, metrics, settings }: Foundation,
  options: InfrastructureOptions,
): Promise<Infrastructure> {
  const { ca, groups, installations, memory, onForgotten, onReport, record, rights, self } = options;
  const log = root.child({ service: 'infrastructure' });
  const store = new InfrastructureStore(database);
  const now = () => new Date();
  const servers = await ServerRegister.load(store, { log, now, groups, onForgotten, onReport, record });
  const { caFingerprint, defaultAltNames, grants, tokens } = openTokens(ca, store, settings);
  const stopping = new AbortController();
  const told: { capacityUsed?: () => number | undefined } = {};
  const departures = new Departures({
    self: settings.certname,
    servers,
    certificates: certificatesOf(ca),
    memory,
    drainTimeoutMs,
    record,
    log,
  });
  const routes = infrastructureRoutes({
    servers,
    tokens,
    record,
    departures,
    self,
    certname: settings.certname,
    defaultAltNames,
    shared: sharedSettings(settings),
    installations,
    meanCompileMs: options.meanCompileMs,
    longWaiting: options.longWaiting,
    capacityUsed: () => told.capacityUsed?.(),
    stopping: stopping.signal,
  });
  const endListening = await forgetRevoked(ca, servers, log);
  const endDismissing = await dismissWithoutRights(servers, rights, log);
  const expected = servers.all().flatMap((server) => (hasServed(server.report) ? [server.certname] : []));
  const look = lookAtServers(servers, departures, log);
  countServers(metrics, servers);
  return {
    expected,
    ...knownServers(servers, departures),
    ...joinsWith(tokens, servers),
    grants,
    caFingerprint,
    tellCapacity: (read) => void Object.assign(told, { capacityUsed: read }),
    noteListening: () => servers.noteListening(),
    noteJoined: (certname) => servers.noteJoined(certname),
    routes: [...routes, ...loadBalancerRoutes(() => balanced(servers))],
    register: (status) => status.register(statusOf(servers, departures, settings)),
    async stop() {
      stopping.abort();
      endListening();
      await endDismissing();
      await look.stop();
    },
  };
}

function knownServers(
  servers: ServerRegister,
  departures: Departures,
): Pick<Infrastructure, 'members' | 'compileServers' | 'servers' | 'orderToLeave' | 'forget'> {
  return {
    members: () => membersOf(servers),
    compileServers: () => compileServersIn(servers),
    servers: () => listed(servers),
    orderToLeave: (certname, cause) => servers.orderToLeave(certname, cause),
    forget: (certname) => departures.remove(certname),
  };
}

function openTokens(
  ca: CertificateAuthority,
  store: InfrastructureStore,
  { dnsAltNames }: Pick<Foundation['settings'], 'dnsAltNames'>,
) {
  const caFingerprint = () => fingerprintOf(ca.bundle);
  const tokens = new TokenRegister({ store, caFingerprint, now: () => new Date() });
  const defaultAltNames = ['puppet', ...dnsAltNames].map((name) => `DNS:${name.replace(/^DNS:/, '')}`);
  const grants = { issue: (certname: string) => tokens.issueFor(certname, defaultAltNames) };
  return { tokens, caFingerprint, defaultAltNames, grants };
}

function certificatesOf(ca: CertificateAuthority) {
  return {
    isIssued: (certname: string) => ca.isIssued(certname),
    revoke: (certname: string) => ca.revoke([certname]),
    remove: (certname: string) => ca.deleteFiles(certname),
  };
}

/** Forgets servers whose certificates are revoked: now, and with each change of the list. @returns a function that ends it */
async function forgetRevoked(
  ca: CertificateAuthority,
  servers: ServerRegister,
  log: Logger,
): Promise<() => void> {
  const look = () => servers.forgetRevoked((serial) => ca.isRevoked(serial));
  const end = ca.onCrlChange(() => void look().catch((err) => log.error({ err }, 'could not forget')));
  await look();
  return end;
}

/** Forgets servers that have lost their rights: now, and with each change of groups. @returns a function that ends it */
async function dismissWithoutRights(
  servers: ServerRegister,
  rights: ServerRights,
  log: Logger,
): Promise<() => Promise<void>> {
  const work = () => servers.dismiss(rights.has);
  const dismiss = periodically(work, dismissIntervalMs, log, 'forget servers without rights');
  const end = rights.onChange(() => void dismiss.run());
  await dismiss.run();
  return async () => {
    end();
    await dismiss.stop();
  };
}

function lookAtServers(servers: ServerRegister, departures: Departures, log: Logger) {
  const work = async () => {
    servers.noteVanished();
    await departures.look();
  };
  return periodically(work, lookIntervalMs, log, 'look for servers that vanished or left');
}

function statusOf(
  servers: ServerRegister,
  departures: Departures,
  settings: Foundation['settings'],
): StatusProvider {
  const lost = () => departures.warnings().map((message): Alert => ({ severity: 'warning', message }));
  return {
    names: ['infrastructure-service'],
    version: announcedVersion(settings),
    read: () => ({ state: 'running', alerts: [...vanished(servers).map(alertOf), ...lost()] }),
  };
}

function vanished(servers: ServerRegister): readonly KnownServer[] {
  return servers.all().filter((server) => servers.stateOf(server) === 'unreachable');
}

function alertOf({ certname, lastContactAt }: KnownServer): Alert {
  const lastContact = lastContactAt?.toISOString() ?? 'never';
  return {
    severity: 'warning',
    message: `Compile server ${certname} has vanished: last contact ${lastContact}`,
  };
}

function countServers(metrics: Foundation['metrics'], servers: ServerRegister): void {
  metrics.gauge(
    { name: 'bunraku_compile_servers', help: 'Compile servers that have joined.' },
    () => servers.all().length,
  );
  metrics.gauge(
    { name: 'bunraku_compile_servers_unreachable', help: 'Compile servers that have vanished.' },
    () => vanished(servers).length,
  );
}

function membersOf(servers: ServerRegister): ReturnType<Infrastructure['members']> {
  return servers.all().map(({ certname, report }) => ({ certname, role: report?.role ?? 'compile server' }));
}

function listed(servers: ServerRegister): ReturnType<Infrastructure['servers']> {
  return servers
    .all()
    .map((server) => ({ certname: server.certname, state: servers.stateOf(server), report: server.report }));
}

function hasServed(report: CheckIn | undefined): boolean {
  return report?.role === 'compile server' && report.state !== 'stopped' && report.state !== 'drained';
}

function compileServersIn(servers: ServerRegister): readonly RegisteredServer[] {
  return servers
    .all()
    .filter(({ report }) => (report?.role ?? 'compile server') === 'compile server')
    .map((server) => ({
      certname: server.certname,
      state: servers.stateOf(server),
      report: server.report,
      silentMs: servers.silentMs(server),
      isOrderedToLeave: server.leaveOrder !== undefined,
    }));
}

/** Those that have been there once; whether they answer now, load balancers see best. */
function balanced(servers: ServerRegister): readonly ListedServer[] {
  return servers.all().flatMap((server) => {
    const { certname, report } = server;
    if (report?.role !== 'compile server') return [];
    const health = report.health_port === undefined ? {} : { health_port: report.health_port };
    const address = report.address === undefined ? {} : { address: report.address };
    return [{ certname, url: report.url, state: servers.stateOf(server), ...address, ...health }];
  });
}

/** A server that has used its token is known from then on. */
function joinsWith(
  tokens: TokenRegister,
  servers: ServerRegister,
): Pick<Infrastructure, 'joins' | 'onGranted'> {
  const listeners: ((certname: string) => void)[] = [];
  const joins: JoinTerminus = {
    isToken: (text) => tokens.isToken(text),
    async grant(text, certname, keyDigest) {
      const grant = await tokens.grant(text, certname, keyDigest);
      for (const tell of listeners) tell(certname);
      return grant;
    },
    async use(text, certname, keyDigest) {
      await tokens.use(text, certname, keyDigest);
      await servers.noteJoined(certname);
    },
  };
  return { joins, onGranted: (listener) => void listeners.push(listener) };
}

function fingerprintOf(bundle: string): string {
  return new X509Certificate(bundle).fingerprint256.replaceAll(':', '').toLowerCase();
}
