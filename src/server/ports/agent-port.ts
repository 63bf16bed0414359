/** The port for agents: routes, rules, certificates, status, signals. */

import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Authorization,
  createHttpServer,
  defaultRules,
  type HttpServer,
  type Route,
  readRules,
  type TlsMaterial,
} from '../../platform/http/index.ts';
import { metricsRoute } from '../../platform/metrics/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { loadOidNames } from '../../platform/x509/index.ts';
import { HealthPort, processStatus, StatusRegistry, statusRoutes } from '../../services/status/index.ts';
import type { Foundation } from '../foundation.ts';
import { infrastructurePredicate } from '../infrastructure/infrastructure-identity.ts';
import { workerFile } from '../worker-files.ts';

export interface TlsFiles {
  readonly certificate: string;
  readonly privateKey: string;
  readonly ca: string;
  readonly crl: string;
}

export interface AgentPort {
  readonly http: HttpServer;
  readonly status: StatusRegistry;
}

/** Why a server cannot serve yet, in words; `undefined` when it can. */
export type Readiness = () => string | undefined;

export async function createAgentPort(
  foundation: Foundation,
  files: TlsFiles,
  routes: readonly Route[],
  readiness: Readiness,
): Promise<AgentPort> {
  const { log, metrics, settings } = foundation;
  const status = new StatusRegistry(log.child({ service: 'status' }));
  const http: HttpServer = createHttpServer({
    routes: [...routes, ...statusRoutes(status), metricsRoute(metrics)],
    authorization: loadAuthorization(settings),
    tls: await readTlsMaterial(files),
    log: log.child({ service: 'http' }),
    puppetVersion: settings.puppetVersion,
    oidNames: await loadOidNames(settings.oidMappingFile, log),
    onServed: metrics.observeRequest,
    isInfrastructure: infrastructurePredicate(settings),
    limits: {
      maxBodyBytes: settings.maxBodyBytes,
      headersTimeoutMs: settings.headersTimeoutSeconds * 1000,
      requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
      bodyIdleTimeoutMs: settings.bodyIdleTimeoutSeconds * 1000,
      keepAliveTimeoutMs: settings.keepAliveTimeoutSeconds * 1000,
    },
  });
  status.register({
    names: ['server', 'master'],
    version: settings.puppetVersion,
    read: () => {
      if (http.isDraining) return { state: 'stopping' };
      const obstacle = readiness();
      return obstacle === undefined
        ? { state: 'running' }
        : { state: 'starting', status: { waiting_for: obstacle } };
    },
  });
  status.register(processStatus({ version: settings.puppetVersion, nowMs: Date.now }));
  return { http: settings.healthPort === 0 ? http : withHealthPort(http, status, foundation), status };
}

/** Health checks in plain HTTP wait for nobody. The port opens with the agents' and closes after it. */
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
    get requestsUnderWay() {
      return agents.requestsUnderWay;
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
      const retired = agents.retire(graceMs);
      await health?.publish();
      await retired;
    },
    async drain(timeoutMs) {
      await agents.drain(timeoutMs);
      await health?.close();
    },
  };
}

export async function readTlsMaterial(files: TlsFiles): Promise<TlsMaterial> {
  const [certificate, privateKey, ca, crl] = await Promise.all(
    [files.certificate, files.privateKey, files.ca, files.crl].map((path) => readFile(path, 'utf8')),
  );
  if (certificate === undefined || privateKey === undefined || ca === undefined || crl === undefined)
    throw new Error('unreachable: four files give four texts');
  return { certificate, privateKey, ca, crl };
}

/** @throws AuthorizationError naming file and rule */
export function loadAuthorization(settings: Settings): Authorization {
  if (!existsSync(settings.authConf)) return { rules: defaultRules, allowHeaderCertInfo: false };
  return readRules(readFileSync(settings.authConf, 'utf8'), settings.authConf);
}
