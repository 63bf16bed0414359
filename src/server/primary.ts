/** The primary: certificate authority, file sync storage, database, and all that agents need. */

import { dirname, join } from 'node:path';
import type { RootLogger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { lockDirectory } from '../platform/storage/index.ts';
import { classifiedRoute, classifierMigrations, LocalClassifiedNodes } from '../services/classifier/index.ts';
import { workingDirectory } from '../services/code-manager/index.ts';
import type { FactsTerminus } from '../services/compiler/index.ts';
import {
  clientStatus,
  FileSyncStorage,
  fileSyncRoutes,
  forceSyncRoute,
  localSource,
  storageStatus,
} from '../services/filesync/index.ts';
import { type CheckIn, infrastructureMigrations } from '../services/infrastructure/index.ts';
import { outboxMigrations, outboxRoutes } from '../services/outbox/index.ts';
import { rbacMigrations } from '../services/rbac/index.ts';
import { openRbac } from './access/rbac.ts';
import { createAgentServices, createFileSyncClient } from './agents/agent-services.ts';
import { localPackages } from './agents/packages.ts';
import { openAuthority, watchAuthority } from './ca/authority.ts';
import { ServiceCertificates } from './ca/service-certificates.ts';
import type { Code } from './code/code.ts';
import { environmentPlaces } from './code/environment-places.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { LateJoins, openInfrastructure } from './infrastructure/infrastructure.ts';
import { ownReport } from './infrastructure/own-report.ts';
import { openPrimaryData } from './node-data/primary-data.ts';
import { externalPuppetDb, memberPuppetDbRoutes, ownPuppetDb } from './node-data/used-puppetdb.ts';
import { classList, memberGroups, openClassifier } from './nodes/classifier.ts';
import { nodeTerminus } from './nodes/node-termini.ts';
import { createAgentPort, loadAuthorization } from './ports/agent-port.ts';
import { openCodeManagerPort } from './ports/code-manager-port.ts';
import { openConsoleServicesPort } from './ports/console-services-port.ts';
import { puppetDbPort } from './ports/port-numbers.ts';
import { openOwnPuppetDb, openPuppetDbPort, type PuppetDbPort } from './ports/puppetdb-port.ts';
import type { RunningServer } from './running-server.ts';

/** How long the first start with very much code may take before agents are let in all the same. */
const codePatienceMs = 10 * 60 * 1000;

export async function startPrimary(settings: Settings, log: RootLogger): Promise<RunningServer> {
  const lock = lockDirectory(settings.stateDir);
  const joins = new LateJoins();
  const authority = await openAuthority(settings, log, joins);
  const { ca } = authority;
  const certificates = new ServiceCertificates(settings, ca, log.child({ service: 'ca' }));
  const external = externalPuppetDb(settings, log.child({ service: 'puppetdb-client' }));
  const hasOwn = external === undefined || puppetDbPort(settings) !== 0;
  // Keys and the databases take their time independently of each other.
  const [files, foundation, own] = await Promise.all([
    certificates.ensure('server'),
    layFoundation(
      settings,
      log,
      [...outboxMigrations, ...infrastructureMigrations, ...classifierMigrations, ...rbacMigrations],
      {
        hasReaderThread: true,
      },
    ),
    hasOwn ? openOwnPuppetDb({ log, settings }) : undefined,
    certificates.ensureNode(),
  ]);
  const rbac = openRbac(foundation);
  const classifier = await openClassifier(foundation);
  const classified = classifier && new LocalClassifiedNodes(classifier);
  const puppetDb = own && (await openPuppetDbPort(foundation, certificates, own, rbac));
  const asked = external ?? (own && ownPuppetDb(settings, own, log.child({ service: 'puppetdb-client' })));
  const kept = openPrimaryData(foundation, external, external === undefined ? own : undefined);
  const findFacts: FactsTerminus['find'] = async (certname, signal) => asked?.findFacts(certname, signal);
  const services = createAgentServices(foundation, {
    puppetDb: asked?.compiler,
    findFacts,
    data: kept.data,
    classifier: classified,
  });
  const storage = await openStorage(foundation, services.code);
  const client = createFileSyncClient(foundation, services.code, localSource(storage, settings.certname));
  let isSynchronised = false;
  const infrastructure = await openInfrastructure(foundation, joins, {
    ca,
    memory: kept,
    groups: classifier && memberGroups(classifier, foundation),
    onForgotten: (certname) => storage.forgetClient(certname),
    self: () => report(),
  });
  const { http, status } = await createAgentPort(
    foundation,
    files,
    [
      ...services.routes,
      ...localPackages(settings, files.ca),
      ...authority.routes,
      ...fileSyncRoutes(storage, Date.now),
      forceSyncRoute(client, services.code.versions, Date.now),
      ...outboxRoutes(kept.deliveries),
      ...infrastructure.routes,
      ...(puppetDb === undefined ? [] : memberPuppetDbRoutes(puppetDb.puppetDb)),
      ...(classifier === undefined ? [] : [classifiedRoute(classifier, { kind: 'infrastructure' })]),
    ],
    () => (isSynchronised ? undefined : 'code'),
  );
  certificates.attach('server', http);
  status.register(storageStatus(storage, settings.puppetVersion, Date.now));
  status.register(clientStatus(client, services.code.versions, settings.puppetVersion, Date.now));
  infrastructure.register(status);
  const { code, pool } = services;
  const ports: Record<string, number> = {};
  const report = ownReport({
    settings,
    status,
    versions: code.versions,
    pool,
    port: () => port,
    certificateEndsAt: () => certificates.firstEnd,
    others: () => puppetDbStatus(puppetDb, settings.serverPort),
    undelivered: () => kept.undelivered(),
    ports,
  });
  const watch = watchAuthority(authority, settings, { certificates, status }, foundation);
  // What was live before is live again at once, whatever state the storage is in.
  await client.restore();
  const consoleServices = await openConsoleServicesPort(foundation, {
    certificates,
    rbac,
    classifier,
    classes: classList(foundation, services.code),
    status,
  });
  const port = await http.listen(settings.serverPort, settings.listen === '' ? undefined : settings.listen);
  log.info({ port, certname: settings.certname }, 'primary is listening');
  client.start();
  kept.start();
  ca.onCleaned((certname) =>
    kept.deactivate(certname).catch((err: unknown) => {
      log.error({ certname, err }, 'node could not be deactivated in PuppetDB');
    }),
  );
  // What is committed lies here already: it is only a question of time.
  await client.firstAttempt(codePatienceMs);
  isSynchronised = true;
  const codeManager = await openCodeManagerPort(foundation, certificates, {
    storage,
    versions: code.versions,
    findFacts,
    nodes: nodeTerminus(foundation, classified),
    findCertificate: async (certname) => (await ca.findCertificate(certname))?.content,
    status,
    rbac,
  });
  if (codeManager !== undefined) ports['code-manager-service'] = codeManager.port;
  if (consoleServices !== undefined)
    ports['rbac-service'] = ports['classifier-service'] = consoleServices.port;
  void watch.run();
  log.info({ port, environments: services.code.versions.environments() }, 'primary is ready');

  return {
    port,
    async reload() {
      http.setAuthorization(loadAuthorization(settings));
      codeManager?.reload();
      await certificates.reload();
    },
    async stop() {
      await http.retire(settings.drainDelaySeconds * 1000);
      authority.releaseWaiting();
      infrastructure.releaseWaiting();
      storage.releaseWaiting();
      // In the same turn: from now on the storage answers the client at once, which would ask again and let nothing else run.
      await Promise.all([client.stop(), watch.stop(), infrastructure.stop()]);
      const drainTimeoutMs = settings.drainTimeoutSeconds * 1000;
      await Promise.all([
        http.drain(drainTimeoutMs),
        consoleServices?.stop(drainTimeoutMs),
        codeManager?.stop(drainTimeoutMs),
      ]);
      await services.settled();
      await services.pool.close();
      await kept.stop();
      await puppetDb?.stop(drainTimeoutMs);
      asked?.close();
      await ca.close();
      await foundation.database.close();
      foundation.processes.close();
      lock.release();
    },
  };
}

/** @param serverPort - where its API is, too, and alone where it has no port of its own */
function puppetDbStatus(puppetDb: PuppetDbPort | undefined, serverPort: number): CheckIn['services'] {
  if (puppetDb === undefined) return {};
  const status = { queue_depth: puppetDb.queueDepth };
  return {
    'puppetdb-status': {
      state: 'running',
      status,
      port: puppetDb.port ?? serverPort,
      active_alerts: [],
    },
  };
}

function openStorage({ git, log, settings }: Foundation, code: Code): Promise<FileSyncStorage> {
  const environmentDirectories = environmentPlaces(settings).map(({ staged }) => staged);
  return FileSyncStorage.open({
    git,
    directory: join(settings.stateDir, 'filesync', 'storage'),
    stagingDirectory: settings.codeStagingDir,
    log: log.child({ service: 'file-sync' }),
    environmentDirectories,
    unserved: environmentDirectories.map((directory) => join(dirname(directory), workingDirectory)),
    now: Date.now,
    findCheckedOut: (environment, commit) => code.checkedOut(environment, commit),
  });
}
