/** The primary: certificate authority, file sync storage, database, and all that agents need. */

import type { RootLogger } from '../../platform/log/index.ts';
import type { SettingOrigins, Settings } from '../../platform/settings/index.ts';
import { openActivity, pruneActivity, streamActivity } from '../access/activity.ts';
import { namedClients } from '../access/named-clients.ts';
import { openRbac } from '../access/rbac.ts';
import { createAgentServices } from '../agents/agent-services.ts';
import { localPackages } from '../agents/packages.ts';
import { noteReport, openAutoscaler, openFleetWork, runAutoscaler } from '../autoscaler/autoscaler.ts';
import { openAuthority, watchAuthority } from '../ca/authority.ts';
import { ServiceCertificates } from '../ca/service-certificates.ts';
import { watchSigningRules } from '../ca/signing-rules.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import { openPrimaryCode } from '../code/primary-code.ts';
import { openIdentity } from '../infrastructure/identity.ts';
import { openInfrastructure } from '../infrastructure/infrastructure.ts';
import { infrastructurePredicate } from '../infrastructure/infrastructure-identity.ts';
import { openInstallations } from '../infrastructure/installations.ts';
import { ownReport } from '../infrastructure/own-report.ts';
import { offerFiles } from '../infrastructure/server-files.ts';
import { serverRights } from '../infrastructure/server-rights.ts';
import { consoleData } from '../node-data/console-data.ts';
import { choosePuppetDb } from '../node-data/own-puppetdb.ts';
import { deactivateCleaned, openPrimaryPuppetDb } from '../node-data/primary-puppetdb.ts';
import { classList, openClassification } from '../nodes/classifier.ts';
import { knownNodes } from '../nodes/known-nodes.ts';
import { nodeTerminus } from '../nodes/node-termini.ts';
import { brokerPart } from '../orchestration/broker.ts';
import { openController } from '../orchestration/controller.ts';
import { openOrchestrator } from '../orchestration/orchestrator.ts';
import { openScheduling } from '../orchestration/scheduling.ts';
import { fileReader } from '../orchestration/ssh.ts';
import { openPlans } from '../plans/plans.ts';
import { createAgentPort } from '../ports/agent-port.ts';
import { openCodeManagerPort } from '../ports/code-manager-port.ts';
import { openConsolePort } from '../ports/console-port.ts';
import { openConsoleServicesPort } from '../ports/console-services-port.ts';
import { openOrchestratorPort } from '../ports/orchestrator-port.ts';
import { watchedTopics } from '../ports/watched-topics.ts';
import type { RunningServer } from '../running-server.ts';
import { foundationPart, lockPart, portsPart, statusPart } from './common-parts.ts';
import { primaryMigrations } from './primary-migrations.ts';
import { Role } from './role.ts';

interface Given {
  readonly settings: Settings;
  /** Where each setting came from. */
  readonly origins: SettingOrigins;
  readonly log: RootLogger;
}

/** What stands on the disk, and who may do what. */
const ground = Role.given<Given>()
  .with({ lock: lockPart })
  .with({
    status: statusPart,
    ports: portsPart,
    authority: async ({ log, settings }) => {
      const authority = await openAuthority(settings, log);
      return { value: authority, retire: () => authority.releaseWaiting(), stop: () => authority.close() };
    },
    foundation: (given) => foundationPart(given, primaryMigrations, { hasReaderThread: true }),
    puppetDbs: async ({ log, settings }) => {
      const choice = await choosePuppetDb(settings, log);
      return { value: choice, stop: () => choice.own?.close() };
    },
  })
  .with({
    certificates: ({ authority: { ca }, log, settings }) => {
      const certificates = new ServiceCertificates(settings, ca, log.child({ service: 'ca' }));
      return { value: certificates, reload: () => certificates.reload() };
    },
  })
  .with({
    // Keys and the tables take their time independently of each other.
    files: async ({ certificates }) => ({ value: await certificates.ensure('server') }),
    nodeFiles: async ({ certificates }) => ({ value: await certificates.ensureNode() }),
    rbac: async ({ foundation }) => ({ value: await openRbac(foundation) }),
    activity: ({ foundation }) => {
      const activity = openActivity(foundation);
      const pruning = pruneActivity(activity, foundation);
      const streams = streamActivity(activity, foundation);
      return {
        value: activity,
        start: () => void pruning?.run(),
        async stop() {
          await Promise.all([pruning?.stop(), ...streams.map((stream) => stream.stop())]);
        },
      };
    },
    classification: async ({ foundation }) => {
      const classification = await openClassification(foundation);
      return {
        routes: [],
        ...classification,
        value: classification,
        retire: () => classification?.letGo(),
      };
    },
  })
  .with({
    isInfrastructure: ({ classification, settings }) => ({
      value: infrastructurePredicate(settings, classification?.servers),
    }),
  });

/** What is made of it. */
const services = ground
  .with({
    fleet: ({ foundation }) => ({ value: openFleetWork(foundation) }),
    installations: ({ classification, foundation, ports }) => {
      const { installations, routes } = openInstallations(foundation, classification?.servers, ports);
      return { value: installations, routes };
    },
  })
  .with({
    nodes: ({ classification, installations }) => ({ value: classification?.nodesWith(installations) }),
  })
  .with({
    puppetDb: async (opened) => {
      const { certificates, foundation, puppetDbs, settings } = opened;
      const puppetDb = await openPrimaryPuppetDb(foundation, puppetDbs, certificates, {
        isInfrastructure: opened.isInfrastructure,
        authenticate: opened.rbac.tokens.authenticate,
        isNamed: namedClients(opened.classification?.values).ofPuppetDb,
        record: opened.activity.record,
      });
      const { routes } = puppetDb;
      return { value: puppetDb, routes, stop: () => puppetDb.stop(settings.drainTimeoutSeconds * 1000) };
    },
  })
  .with({
    agentServices: ({ foundation, nodes, puppetDb }) => {
      const termini = { ...puppetDb.termini, classifier: nodes };
      const value = createAgentServices(foundation, termini);
      const { alerts, routes } = value;
      return { value, routes, ...(alerts === undefined ? {} : { alerts }), stop: () => value.stop() };
    },
    packages: ({ classification, files, settings }) => ({
      ...localPackages(settings, files.ca, classification?.values),
      value: undefined,
    }),
  })
  .with({
    code: async ({ agentServices, foundation }) => {
      const code = await openPrimaryCode(foundation, agentServices.code);
      return {
        value: code,
        routes: code.routes,
        register: (status) => code.register?.(status),
        // What was live before is live again, and only then what is new.
        start: () => code.restore(),
        retire: () => code.stop(),
      };
    },
    report: ({ agentServices, certificates, ports, puppetDb, settings, status }) => ({
      value: ownReport({
        settings,
        status,
        ports,
        compiling: { versions: agentServices.code.versions, pool: agentServices.pool },
        certificateEndsAt: () => certificates.firstEnd,
        others: () => puppetDb.services(),
        undelivered: () => puppetDb.undelivered(),
      }),
    }),
  })
  .with({
    infrastructure: async (opened) => {
      const { classification, code, fleet, isInfrastructure } = opened;
      const { ca } = opened.authority;
      const groups = classification?.classifier;
      const infrastructure = await openInfrastructure(opened.foundation, {
        ca,
        installations: opened.installations,
        rights: serverRights(ca, isInfrastructure, groups && ((listener) => groups.onChange(listener))),
        memory: opened.puppetDb,
        record: opened.activity.record,
        groups: classification?.members,
        onForgotten(certname) {
          code.storage.forgetClient(certname);
          fleet.forgetServer(certname);
        },
        meanCompileMs: () => fleet.meanCompileMs,
        longWaiting: () => fleet.longWaiting(performance.now()),
        onReport: (certname, said) => noteReport(fleet, certname, said),
        self: opened.report,
      });
      code.storage.expectClients(infrastructure.expected);
      const { register, routes } = infrastructure;
      return {
        value: infrastructure,
        routes,
        register: (status) => register?.(status),
        retire: () => infrastructure.stop(),
      };
    },
  })
  .with({
    identities: (opened) => openIdentity(opened.foundation, opened),
  })
  .with({
    autoscaler: (opened) => openAutoscaler(opened.foundation, opened),
    serverFiles: (opened) => offerFiles(opened.foundation, opened.agentServices.code, opened.infrastructure),
    authorityRoutes: (opened) => ({
      value: undefined,
      routes: opened.authority.routesFor({
        isInfrastructure: opened.isInfrastructure,
        joins: opened.identities.joinsWith(opened.infrastructure.joins, opened.infrastructure.noteJoined),
        isNamed: namedClients(opened.classification?.values).ofAuthority,
        record: opened.activity.record,
      }),
    }),
  });

const primary = services
  .with({
    broker: async ({ authority, certificates, files, foundation, ports }) => {
      const tls = { ...(await readTlsMaterial(files)), crl: authority.ca.crl.pem };
      const part = brokerPart(foundation, { ports, tls, controllerUrls: [] });
      if (part.value !== undefined) certificates.attach('server', part.value);
      return part;
    },
  })
  .with({
    controller: ({ broker, classification, foundation, isInfrastructure }) => {
      const controller = openController(foundation, broker, isInfrastructure);
      const end = classification?.classifier.onChange(() => controller.endpoint.cutStrangers());
      return { value: controller, stop: () => controller.stop(end) };
    },
  })
  .with({
    orchestration: async (opened) => {
      const { agentServices, classification, controller, foundation, infrastructure, puppetDb } = opened;
      const { tasks } = agentServices;
      const { versions } = agentServices.code;
      const orchestration = await openOrchestrator(foundation, {
        agents: controller.agents,
        large: controller.answers,
        readFile: fileReader(agentServices.files, foundation.settings.certname),
        tasks,
        puppetDb: puppetDb.termini.puppetDb,
        classifier: classification?.classifier,
        members: infrastructure.members,
        hasEnvironment: (name) => versions.environments().includes(name),
      });
      return {
        value: orchestration,
        start: () => orchestration.start(),
        stop: () => orchestration.stop(),
      };
    },
  })
  .with({
    plans: ({ agentServices, foundation, orchestration, puppetDb }) => {
      const { tasks } = agentServices;
      const plans = openPlans(foundation, {
        orchestrator: orchestration.orchestrator,
        tasks,
        plans: tasks,
        connections: orchestration.connections,
        downloads: orchestration.downloads,
        puppetDb: puppetDb.termini.puppetDb,
        code: agentServices.code.forCompiler,
      });
      return { value: plans.jobs, start: () => plans.start(), stop: () => plans.stop() };
    },
  })
  .with({
    scheduled: (opened) => {
      const { scheduled, stop } = openScheduling(opened.foundation, opened);
      return { value: scheduled, stop };
    },
  })
  .with({
    agents: async (opened, parts) => {
      const { certificates, code, foundation, log, rbac, settings } = opened;
      const readiness = () => code.obstacle;
      const agents = await createAgentPort(foundation, {
        ...opened,
        parts,
        readiness,
        authenticate: rbac.tokens.authenticate,
      });
      certificates.attach('server', agents.http);
      return {
        value: agents,
        async start() {
          const port = await agents.listen();
          log.info({ port, certname: settings.certname }, 'primary is listening');
        },
        reload: () => agents.reloadRules(),
        retire: () => agents.retire(),
        stop: () => agents.drain(),
      };
    },
    consoleServices: async (opened) => {
      const { agentServices, classification, foundation, puppetDb, settings } = opened;
      const { puppetDb: terminus } = puppetDb.termini;
      const port = await openConsoleServicesPort(foundation, {
        ...opened,
        classifier: classification?.classifier,
        checkIns: classification?.checkIns.store,
        classes: classList(foundation, agentServices.code),
        nodes: terminus && knownNodes(terminus),
      });
      return {
        value: port.routes,
        start: () => port.listen(),
        stop: () => port.stop(settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({
    orchestratorPort: async (opened) => {
      const port = await openOrchestratorPort(opened.foundation, opened);
      return {
        value: port.routes,
        start: () => port.listen(),
        stop: () => port.stop(opened.settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({
    deliveries: ({ authority: { ca }, foundation, puppetDb }) => {
      deactivateCleaned(ca, puppetDb, foundation);
      return { value: undefined, start: () => puppetDb.start() };
    },
  })
  .with({ newCode: ({ code }) => ({ value: undefined, start: () => code.follow() }) })
  .with({
    codeManager: async (opened) => {
      const { agentServices, authority, certificates, code, foundation } = opened;
      const manager = await openCodeManagerPort(foundation, certificates, {
        ...opened,
        storage: code.storage,
        versions: agentServices.code.versions,
        findFacts: opened.puppetDb.termini.findFacts,
        puppetDb: opened.puppetDb.termini.puppetDb,
        nodes: nodeTerminus(foundation, opened.nodes),
        findCertificate: async (certname) => (await authority.ca.findCertificate(certname))?.content,
      });
      return {
        value: manager,
        start: () => manager?.listen(),
        reload: () => manager?.reload(),
        stop: () => manager?.stop(opened.settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({
    console: async (opened, parts) => {
      const { codeManager, consoleServices, foundation, orchestratorPort, puppetDb } = opened;
      const groups = opened.classification?.classifier;
      const apis = [puppetDb.userRoutes, consoleServices, orchestratorPort, codeManager?.routes ?? []];
      const port = await openConsolePort(foundation, {
        ...opened,
        onJob: (listener) => opened.orchestration.runner.changes.onAny(listener),
        onPlanJob: (listener) => opened.plans.onChange(listener),
        onSchedule: (listener) => opened.scheduled.onChange(listener),
        onGroups: groups && ((listener) => groups.onChange(listener)),
        ...(await consoleData(opened)),
        watched: watchedTopics(opened),
        routes: [...parts.map(({ routes }) => routes), ...apis].flat(),
      });
      return {
        value: undefined,
        start: () => port?.listen(),
        stop: () => port?.stop(opened.settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({
    authorityWatch: (opened) => {
      const watch = watchAuthority(opened.authority, opened.settings, opened, opened.foundation);
      return { value: undefined, start: () => void watch.run(), stop: () => watch.stop() };
    },
    signingRules: ({ authority: { ca }, log, settings }) => {
      const rules = watchSigningRules(ca, settings, log.child({ service: 'ca' }));
      return { value: undefined, start: () => void rules.run(), stop: () => rules.stop() };
    },
  })
  .with({
    contact: ({ infrastructure }) => ({ value: undefined, start: () => infrastructure.noteListening() }),
  })
  // Last: servers that it launches on this machine leave the primary's ports alone when these listen.
  .with({ pool: ({ autoscaler, foundation }) => runAutoscaler(foundation, autoscaler) });

export async function startPrimary(
  settings: Settings,
  log: RootLogger,
  origins: SettingOrigins,
): Promise<RunningServer> {
  const { opened, reload, stop } = await primary.start({ settings, log, origins });
  const { port } = opened.agents;
  const environments = opened.agentServices.code.versions.environments();
  log.info({ port, environments }, 'primary is ready');
  return { port, reload, stop };
}
