/** The primary: certificate authority, file sync storage, database, and all that agents need. */

import type { RootLogger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { lockDirectory } from '../platform/storage/index.ts';
import { classifierMigrations } from '../services/classifier/index.ts';
import { infrastructureMigrations } from '../services/infrastructure/index.ts';
import { outboxMigrations } from '../services/outbox/index.ts';
import { rbacMigrations } from '../services/rbac/index.ts';
import { openRbac } from './access/rbac.ts';
import { createAgentServices } from './agents/agent-services.ts';
import { localPackages } from './agents/packages.ts';
import { openAuthority, watchAuthority } from './ca/authority.ts';
import { ServiceCertificates } from './ca/service-certificates.ts';
import { watchSigningRules } from './ca/signing-rules.ts';
import { openPrimaryCode } from './code/primary-code.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { LateJoins, openInfrastructure } from './infrastructure/infrastructure.ts';
import { infrastructurePredicate } from './infrastructure/infrastructure-identity.ts';
import { ownReport } from './infrastructure/own-report.ts';
import { choosePuppetDb } from './node-data/own-puppetdb.ts';
import { deactivateCleaned, openPrimaryPuppetDb } from './node-data/primary-puppetdb.ts';
import { classList, openClassification } from './nodes/classifier.ts';
import { nodeTerminus } from './nodes/node-termini.ts';
import { createAgentPort } from './ports/agent-port.ts';
import { openCodeManagerPort } from './ports/code-manager-port.ts';
import { openConsoleServicesPort } from './ports/console-services-port.ts';
import type { RunningServer } from './running-server.ts';

export async function startPrimary(settings: Settings, log: RootLogger): Promise<RunningServer> {
  const lock = lockDirectory(settings.stateDir);
  const joins = new LateJoins();
  const authority = await openAuthority(settings, log, joins);
  const { ca } = authority;
  const certificates = new ServiceCertificates(settings, ca, log.child({ service: 'ca' }));
  // Keys and the databases take their time independently of each other.
  const [files, foundation, puppetDbs] = await Promise.all([
    certificates.ensure('server'),
    openDatabase(settings, log),
    choosePuppetDb(settings, log),
    certificates.ensureNode(),
  ]);

  // What a primary is made of.
  const rbac = openRbac(foundation);
  const classification = await openClassification(foundation);
  const isInfrastructure = infrastructurePredicate(settings, classification?.servers);
  const puppetDb = await openPrimaryPuppetDb(foundation, puppetDbs, certificates, { isInfrastructure, rbac });
  const services = createAgentServices(foundation, {
    ...puppetDb.termini,
    classifier: classification?.nodes,
  });
  const code = await openPrimaryCode(foundation, services.code);
  const infrastructure = await openInfrastructure(foundation, joins, {
    ca,
    memory: puppetDb,
    groups: classification?.members,
    onForgotten: (certname) => code.storage.forgetClient(certname),
    self: () => report(),
  });
  code.storage.expectClients(infrastructure.expected);
  const agents = await createAgentPort(foundation, {
    files,
    isInfrastructure,
    parts: [
      services,
      localPackages(settings, files.ca),
      { routes: authority.routesFor(isInfrastructure) },
      code,
      puppetDb,
      infrastructure,
      ...(classification === undefined ? [] : [classification]),
    ],
    readiness: () => code.obstacle,
  });
  const { http, status } = agents;
  certificates.attach('server', http);
  const watch = watchAuthority(authority, settings, { certificates, status }, foundation);
  const rules = watchSigningRules(ca, settings, log.child({ service: 'ca' }));
  const ports: Record<string, number> = {};
  const report = ownReport({
    settings,
    status,
    versions: services.code.versions,
    pool: services.pool,
    port: () => agents.port,
    certificateEndsAt: () => certificates.firstEnd,
    others: () => puppetDb.services(),
    undelivered: () => puppetDb.undelivered(),
    ports,
  });

  // In this order it begins to serve: what was live before, and only then what is new.
  await code.restore();
  const consoleServices = await openConsoleServicesPort(foundation, {
    certificates,
    rbac,
    classifier: classification?.classifier,
    classes: classList(foundation, services.code),
    status,
  });
  const port = await agents.listen();
  log.info({ port, certname: settings.certname }, 'primary is listening');
  puppetDb.start();
  deactivateCleaned(ca, puppetDb, foundation);
  await code.follow();
  const codeManager = await openCodeManagerPort(foundation, certificates, {
    storage: code.storage,
    versions: services.code.versions,
    findFacts: puppetDb.termini.findFacts,
    puppetDb: puppetDb.termini.puppetDb,
    nodes: nodeTerminus(foundation, classification?.nodes),
    findCertificate: async (certname) => (await ca.findCertificate(certname))?.content,
    status,
    rbac,
  });
  Object.assign(ports, consoleServices?.ports, codeManager?.ports);
  void watch.run();
  void rules.run();
  log.info({ port, environments: services.code.versions.environments() }, 'primary is ready');

  return {
    port,
    async reload() {
      agents.reloadRules();
      codeManager?.reload();
      await certificates.reload();
    },
    async stop() {
      await http.retire(settings.drainDelaySeconds * 1000);
      authority.releaseWaiting();
      await Promise.all([code.stop(), watch.stop(), rules.stop(), infrastructure.stop()]);
      const drainTimeoutMs = settings.drainTimeoutSeconds * 1000;
      await Promise.all([
        http.drain(drainTimeoutMs),
        consoleServices?.stop(drainTimeoutMs),
        codeManager?.stop(drainTimeoutMs),
      ]);
      await services.stop();
      await puppetDb.stop(drainTimeoutMs);
      await authority.close();
      await foundation.disks.stop();
      await foundation.database.close();
      foundation.processes.close();
      lock.release();
    },
  };
}

function openDatabase(settings: Settings, log: RootLogger): Promise<Foundation> {
  const migrations = [
    ...outboxMigrations,
    ...infrastructureMigrations,
    ...classifierMigrations,
    ...rbacMigrations,
  ];
  return layFoundation(settings, log, migrations, { hasReaderThread: true });
}
