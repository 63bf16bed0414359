/** The port for agents: routes, rules, certificates, status, signals. */

import { existsSync, readFileSync } from 'node:fs';
import {
  type Authorization,
  createHttpServer,
  defaultRules,
  type HttpServer,
  type HttpServerOptions,
  type Identity,
  type RequestSample,
  type Route,
  readRules,
  type TokenAuthenticator,
  TrustedProxies,
} from '../../platform/http/index.ts';
import { LogFile } from '../../platform/log/index.ts';
import { metricsRoute } from '../../platform/metrics/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { loadOidNames } from '../../platform/x509/index.ts';
import {
  HealthPort,
  processStatus,
  type StatusProvider,
  type StatusRegistry,
  statusRoutes,
} from '../../services/status/index.ts';
import { readTlsMaterial, type TlsFiles } from '../ca/tls-files.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { ServedPart } from '../served-part.ts';
import { workerFile } from '../worker-files.ts';
import { renderAccessLine } from './access-log.ts';
import { agentsPort, type OpenPorts } from './open-ports.ts';
import { withPlainPort } from './plain-port.ts';

export interface AgentPort {
  readonly http: HttpServer;
  /** The one that is listened on; before that the one that was asked for. */
  readonly port: number;
  listen(): Promise<number>;
  /** Reads the rules again, as SIGHUP asks. */
  reloadRules(): void;
  /** Turns unhealthy, and waits until load balancers have seen that; not when it never listened. */
  retire(): Promise<void>;
  /** Lets what is under way finish. */
  drain(): Promise<void>;
}

/** Why a server cannot serve yet, in words; `undefined` when it can. */
export type Readiness = () => string | undefined;

export interface AgentPortOptions {
  readonly status: StatusRegistry;
  readonly ports: OpenPorts;
  readonly files: TlsFiles;
  readonly parts: readonly ServedPart[];
  readonly readiness: Readiness;
  /** Recognises the servers of the installation. */
  readonly isInfrastructure: (identity: Identity) => boolean;
  /** Knows users by their tokens; absent where tokens do not count. */
  readonly authenticate?: TokenAuthenticator;
}

export async function createAgentPort(foundation: Foundation, options: AgentPortOptions): Promise<AgentPort> {
  const { settings } = foundation;
  const { parts, ports, status } = options;
  const routes = [...parts.flatMap((part) => part.routes), ...statusRoutes(status)];
  const agents = await createServers(foundation, options, routes);
  status.register(serverStatus(settings, agents, options));
  status.register(foundation.disks.status(announcedVersion(settings)));
  status.register(processStatus({ version: announcedVersion(settings), nowMs: Date.now }));
  for (const part of parts) part.register?.(status);
  const http = settings.healthPort === 0 ? agents : withHealthPort(agents, status, foundation);
  const find = () => ports.find(agentsPort);
  return {
    http,
    get port() {
      return find() ?? settings.serverPort;
    },
    async listen() {
      const host = settings.listen === '' ? undefined : settings.listen;
      const port = await http.listen(settings.serverPort, host);
      ports.note(port, agentsPort);
      return port;
    },
    async retire() {
      if (find() !== undefined) await http.retire(settings.drainDelaySeconds * 1000);
    },
    drain: () => http.drain(settings.drainTimeoutSeconds * 1000),
    reloadRules: () => http.setAuthorization(loadAuthorization(settings)),
  };
}

/** The port with TLS, and the one for a proxy that ends TLS, if it is configured. */
async function createServers(
  foundation: Foundation,
  options: AgentPortOptions,
  routes: readonly Route[],
): Promise<HttpServer> {
  const { httpHost, httpPort } = foundation.settings;
  const common = await serverOptions(foundation, options, routes);
  const agents = createHttpServer({ ...common, tls: await readTlsMaterial(options.files) });
  return httpPort === 0 ? agents : withPlainPort(agents, createHttpServer(common), { httpHost, httpPort });
}

async function serverOptions(
  foundation: Foundation,
  { authenticate, isInfrastructure }: AgentPortOptions,
  routes: readonly Route[],
): Promise<HttpServerOptions> {
  const { bodyBudget, log, metrics, settings, transfers } = foundation;
  return {
    routes: [...routes, metricsRoute(metrics)],
    authorization: loadAuthorization(settings),
    trustedProxies: new TrustedProxies(settings.trustedProxies),
    log: log.child({ service: 'http' }),
    bodyBudget,
    transfers,
    puppetVersion: announcedVersion(settings),
    oidNames: await loadOidNames(settings.oidMappingFile, log),
    onServed: observing(foundation),
    isInfrastructure,
    ...(authenticate === undefined ? {} : { authenticate }),
    limits: {
      maxBodyBytes: settings.maxBodyBytes,
      headersTimeoutMs: settings.headersTimeoutSeconds * 1000,
      requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
      bodyIdleTimeoutMs: settings.bodyIdleTimeoutSeconds * 1000,
      keepAliveTimeoutMs: settings.keepAliveTimeoutSeconds * 1000,
    },
  };
}

/** Metrics, and the access log if it is configured. */
function observing({ metrics, settings }: Foundation): (sample: RequestSample) => void {
  const path = settings.puppetserverAccessLog;
  if (path === '') return metrics.observeRequest;
  const file = new LogFile(path, 'puppetserver_access_log');
  return (sample) => {
    metrics.observeRequest(sample);
    file.write(renderAccessLine(sample, new Date()));
  };
}

function serverStatus(
  settings: Settings,
  http: HttpServer,
  { parts, readiness }: AgentPortOptions,
): StatusProvider {
  return {
    names: ['server', 'master'],
    version: announcedVersion(settings),
    read: () => {
      if (http.isDraining) return { state: 'stopping' };
      const alerts = parts.flatMap((part) => part.alerts?.() ?? []);
      const obstacle = readiness();
      return obstacle === undefined
        ? { state: 'running', alerts }
        : { state: 'starting', status: { waiting_for: obstacle }, alerts };
    },
  };
}

/** Health checks in plain HTTP are never queued. The port opens with the agents' and closes after it. */
function withHealthPort(
  agents: HttpServer,
  registry: StatusRegistry,
  { log, settings }: Foundation,
): HttpServer {
  let health: HealthPort | undefined;
  return {
    get isDraining() {
      return agents.isDraining;
    },
    get requestsInFlight() {
      return agents.requestsInFlight;
    },
    async listen(port, host) {
      const opened = await agents.listen(port, host);
      const workerUrl = workerFile('health-worker');
      const options = {
        registry,
        workerUrl,
        port: settings.healthPort,
        host,
        log: log.child({ service: 'status' }),
      };
      ({ health } = await HealthPort.open(options));
      return opened;
    },
    reloadTls: (material) => agents.reloadTls(material),
    setAuthorization: (authorization) => agents.setAuthorization(authorization),
    setRevocationLists: (...args) => agents.setRevocationLists(...args),
    async retire(graceMs) {
      const retired = agents.retire(graceMs, health?.isPolled);
      await health?.publish();
      await retired;
    },
    async drain(timeoutMs) {
      await agents.drain(timeoutMs);
      await health?.close();
    },
  };
}

/** @throws AuthorizationError naming file and rule */
function loadAuthorization(settings: Settings): Authorization {
  if (!existsSync(settings.authConf)) return { rules: defaultRules, allowHeaderCertInfo: false };
  return readRules(readFileSync(settings.authConf, 'utf8'), settings.authConf);
}
