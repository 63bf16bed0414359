/** The port of the code manager: deploys, webhooks, status. */

import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../lib/if-there.ts';
import { operators, type Route } from '../../platform/http/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import { loadOidNames } from '../../platform/x509/index.ts';
import {
  CodeManager,
  codeManagerRoutes,
  createEngine,
  type Engine,
  readConfiguration,
} from '../../services/code-manager/index.ts';
import type { FactsTerminus, NodeTerminus, PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { CodeVersions, FileSyncStorage } from '../../services/filesync/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';
import type { StatusRegistry } from '../../services/status/index.ts';
import type { Activity } from '../access/activity.ts';
import { anyOf, certnames, usersAnd } from '../access/port-access.ts';
import { certificateExtensions } from '../ca/certificate-extensions.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import { type CodeCheckTermini, codeCheck } from '../code/code-check.ts';
import { codeStorage } from '../code/code-storage.ts';
import { environmentUse } from '../code/environment-use.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import { workerFile } from '../worker-files.ts';
import type { OpenPorts } from './open-ports.ts';
import { listenBeside } from './port-numbers.ts';
import { PortStatus } from './port-status.ts';
import { createUserPort } from './user-port.ts';

export interface CodeManagerPort {
  /** Its API, for other ports that users have. */
  readonly routes: readonly Route[];
  /** Deploys that wait, run, or have ended not long ago. */
  readonly deploys: CodeManager['deploys'];
  listen(): Promise<void>;
  /** Reads `r10k.yaml` again; one with mistakes is told and left aside. */
  reload(): void;
  /** Lets what is under way finish for at most `timeoutMs`; deploys are ended at once. */
  stop(timeoutMs: number): Promise<void>;
}

export interface CodeManagerSources {
  readonly storage: FileSyncStorage;
  readonly versions: CodeVersions;
  readonly findFacts: FactsTerminus['find'];
  /** Knows which environments nodes use, and answers code that is checked. */
  readonly puppetDb: PuppetDbTerminus | undefined;
  readonly nodes: NodeTerminus;
  /** A node's certificate, as PEM. */
  readonly findCertificate: (certname: string) => Promise<string | undefined>;
  readonly status: StatusRegistry;
  readonly ports: OpenPorts;
  readonly rbac: Rbac;
  readonly activity: Activity;
}

/**
 * Opens the port that `code_manager_port` names, where `code_manager_config` names a file that exists.
 *
 * @returns `undefined` when there is nothing to deploy from
 * @throws ConfigurationError for a file with mistakes
 */
export async function openCodeManagerPort(
  foundation: Foundation,
  certificates: ServiceCertificates,
  sources: CodeManagerSources,
): Promise<CodeManagerPort | undefined> {
  const { log, settings } = foundation;
  if (settings.codeManagerPort === 0 || !existsSync(settings.codeManagerConfig)) return undefined;
  const oidNames = await loadOidNames(settings.oidMappingFile, log);
  const manager = createManager(
    foundation,
    sources,
    certificateExtensions(sources.findCertificate, oidNames),
  );
  const portStatus = new PortStatus(sources.status, log.child({ service: 'status' }));
  portStatus.show('file-sync-storage-service');
  const routes = deployRoutes(foundation, manager);
  const http = await createUserPort(foundation, {
    name: 'code-manager',
    certificates,
    rbac: sources.rbac,
    routes: [...portStatus.routes, ...routes],
    // A client that waits for a deploy waits as long as it takes.
    limits: {
      handlerTimeoutMs:
        (settings.codeManagerDeployTimeoutSeconds + settings.codeManagerSyncTimeoutSeconds) * 2000,
    },
  });
  portStatus.register({
    names: ['code-manager-service'],
    version: announcedVersion(settings),
    read: () => ({ state: http.isDraining ? 'stopping' : 'running', status: countsOf(manager.deploys()) }),
  });
  return {
    routes,
    deploys: () => manager.deploys(),
    async listen() {
      await manager.prepare();
      const port = await listenBeside(http, settings.codeManagerPort, settings, 'code_manager_port');
      sources.ports.note(port, 'code-manager-service');
      log.info({ port, sources: manager.engine.configuration.sources.length }, 'code manager is listening');
    },
    reload() {
      try {
        manager.reconfigure(readEngine(foundation));
      } catch (err) {
        log.error({ err, file: settings.codeManagerConfig }, 'could not read the configuration of deploys');
      }
    },
    async stop(timeoutMs) {
      await manager.stop();
      await http.drain(timeoutMs);
    },
  };
}

function deployRoutes({ log, settings }: Foundation, manager: CodeManager): readonly Route[] {
  return codeManagerRoutes({
    manager,
    allow: usersAnd(
      anyOf(operators, certnames([settings.certname, ...settings.codeManagerAllowlist])),
      'environment',
      'deploy_code',
    ),
    isValidated: settings.codeManagerValidate,
    validatedNodes: settings.codeManagerValidateNodes,
    webhooks: {
      isAuthenticated: settings.codeManagerAuthenticateWebhook,
      secret: () => readSecret(settings),
      log: log.child({ service: 'code-manager' }),
    },
  });
}

/** How many deploys there are of each status, those that have ended not long ago included. */
function countsOf(deploys: ReturnType<CodeManager['deploys']>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of deploys) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const clock = { now: () => new Date(), monotonicMs: () => performance.now() };

/** @throws ConfigurationError for a file with mistakes */
function readEngine({ git, log, settings }: Foundation): Engine {
  const file = settings.codeManagerConfig;
  return createEngine({
    ...clock,
    git,
    configuration: readConfiguration(readFileSync(file, 'utf8'), file),
    directory: codeManagerDirectory(settings),
    stagingDirectory: settings.codeStagingDir,
    codeDirectory: settings.codeDir,
    environment: processEnvironment(),
    ruby: settings.ruby,
    puppetfileWorkerUrl: workerFile('puppetfile-worker'),
    idleTimeoutMs: settings.codeManagerFetchTimeoutSeconds * 1000,
    log: log.child({ service: 'code-manager' }),
  });
}

function codeManagerDirectory({ stateDir }: Settings): string {
  return join(stateDir, 'code-manager');
}

function createManager(
  foundation: Foundation,
  sources: CodeManagerSources,
  extensions: CodeCheckTermini['extensions'],
): CodeManager {
  const { settings } = foundation;
  const log = foundation.log.child({ service: 'code-manager' });
  return new CodeManager({
    ...clock,
    engine: readEngine(foundation),
    environment: processEnvironment(),
    log,
    stagingDirectory: settings.codeStagingDir,
    stateDirectory: codeManagerDirectory(settings),
    storage: codeStorage({ ...sources, stagingDirectory: settings.codeStagingDir }),
    check: codeCheck(settings, { ...sources, classifier: sources.nodes, extensions }, log),
    use: environmentUse(sources.puppetDb, log),
    deployPoolSize: settings.codeManagerDeployPoolSize,
    deployTimeoutMs: settings.codeManagerDeployTimeoutSeconds * 1000,
    syncTimeoutMs: settings.codeManagerSyncTimeoutSeconds * 1000,
    deployTtlMs: settings.codeManagerDeployTtlSeconds * 1000,
    record: sources.activity.record,
  });
}

async function readSecret({ codeManagerWebhookSecretFile: file }: Settings): Promise<string | undefined> {
  // A secret that can't be read is no reason to do without.
  const text = await ifThere(readFile(file, 'utf8'));
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
