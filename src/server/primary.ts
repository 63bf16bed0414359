/** The primary: certificate authority, file sync storage, database, and all that agents need. */

import { join } from 'node:path';
import type { RootLogger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { lockDirectory } from '../platform/storage/index.ts';
import { decodeFactsText, FactStore, factMigrations } from '../services/facts/index.ts';
import {
  clientStatus,
  FileSyncStorage,
  fileSyncRoutes,
  forceSyncRoute,
  localSource,
  storageStatus,
} from '../services/filesync/index.ts';
import { type CheckIn, infrastructureMigrations } from '../services/infrastructure/index.ts';
import { type MessageSink, outboxRoutes } from '../services/outbox/index.ts';
import { decodeReport, ReportStore, reportMigrations } from '../services/reports/index.ts';
import { createAgentPort, loadAuthorization } from './agent-port.ts';
import { createAgentServices, createFileSyncClient } from './agent-services.ts';
import { openAuthority, watchAuthority } from './authority.ts';
import type { Code } from './code.ts';
import { openCodeManagerPort } from './code-manager-port.ts';
import { environmentPlaces } from './environment-places.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { LateJoins, openInfrastructure } from './infrastructure.ts';
import { ownReport } from './own-report.ts';
import { localPackages } from './packages.ts';
import { openPuppetDbPort, type PuppetDbPort } from './puppetdb-port.ts';
import type { RunningServer } from './running-server.ts';
import { ServiceCertificates } from './service-certificates.ts';

/** How long the first start with very much code may take before agents are let in all the same. */
const codePatienceMs = 10 * 60 * 1000;

export async function startPrimary(settings: Settings, log: RootLogger): Promise<RunningServer> {
  const lock = lockDirectory(settings.stateDir);
  const joins = new LateJoins();
  const authority = await openAuthority(settings, log, joins);
  const { ca } = authority;
  const certificates = new ServiceCertificates(settings, ca, log.child({ service: 'ca' }));
  // Keys and the database take their time independently of each other.
  const [files, foundation] = await Promise.all([
    certificates.ensure('server'),
    layFoundation(settings, log, [...factMigrations, ...reportMigrations, ...infrastructureMigrations], {
      hasReaderThread: true,
    }),
    certificates.ensureNode(),
  ]);
  const now = () => new Date();
  const facts = new FactStore(foundation.database, now);
  const reports = new ReportStore(foundation.database, now);
  const services = createAgentServices(foundation, { facts, reports });
  const storage = await openStorage(foundation, services.code);
  const client = createFileSyncClient(foundation, services.code, localSource(storage, settings.certname));
  let isSynchronised = false;
  const puppetDb = await openPuppetDbPort(foundation, certificates);
  const infrastructure = await openInfrastructure(foundation, joins, {
    ca,
    memory: puppetDb,
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
      ...outboxRoutes(deliveries(facts, reports)),
      ...infrastructure.routes,
    ],
    () => (isSynchronised ? undefined : 'code'),
  );
  certificates.attach('server', http);
  status.register(storageStatus(storage, settings.puppetVersion, Date.now));
  status.register(clientStatus(client, services.code.versions, settings.puppetVersion, Date.now));
  infrastructure.register(status);
  const { code, pool } = services;
  const report = ownReport({
    settings,
    status,
    versions: code.versions,
    pool,
    port: () => port,
    certificateEndsAt: () => certificates.firstEnd,
    others: () => puppetDbStatus(puppetDb),
  });
  const watch = watchAuthority(authority, settings, { certificates, status }, foundation);
  // What was live before is live again at once, whatever state the storage is in.
  await client.restore();
  const port = await http.listen(settings.serverPort, settings.listen === '' ? undefined : settings.listen);
  log.info({ port, certname: settings.certname }, 'primary is listening');
  client.start();
  // What is committed lies here already: it is only a question of time.
  await client.firstAttempt(codePatienceMs);
  isSynchronised = true;
  const codeManager = await openCodeManagerPort(foundation, certificates, {
    storage,
    versions: code.versions,
    facts,
    status,
  });
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
      await watch.stop();
      await infrastructure.stop();
      await client.stop();
      const drainTimeoutMs = settings.drainTimeoutSeconds * 1000;
      await Promise.all([
        http.drain(drainTimeoutMs),
        puppetDb?.stop(drainTimeoutMs),
        codeManager?.stop(drainTimeoutMs),
      ]);
      await services.pool.close();
      await ca.close();
      await foundation.database.close();
      lock.release();
    },
  };
}

/** What PuppetDB's own port says of it. */
function puppetDbStatus(puppetDb: PuppetDbPort | undefined): CheckIn['services'] {
  if (puppetDb === undefined) return {};
  const status = { queue_depth: puppetDb.queueDepth };
  return { 'puppetdb-status': { state: 'running', status, port: puppetDb.port, active_alerts: [] } };
}

function openStorage({ git, log, settings }: Foundation, code: Code): Promise<FileSyncStorage> {
  return FileSyncStorage.open({
    git,
    directory: join(settings.stateDir, 'filesync', 'storage'),
    stagingDirectory: settings.codeStagingDir,
    log: log.child({ service: 'file-sync' }),
    environmentDirectories: environmentPlaces(settings).map(({ staged }) => staged),
    now: Date.now,
    findCheckedOut: (environment, commit) => code.checkedOut(environment, commit),
  });
}

/** What compile servers deliver ends where the primary's own agents' facts and reports end. */
function deliveries(facts: FactStore, reports: ReportStore): MessageSink {
  return {
    async accept({ kind, certname, environment, payload }) {
      if (kind === 'facts') await facts.save(decodeFactsText(payload), environment);
      else await reports.save(decodeReport(JSON.parse(payload), certname), payload);
    },
  };
}
