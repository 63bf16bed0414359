/** A compile server: follows a primary, and keeps serving agents while that is away. */

import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { caProxyRoutes } from '../../services/ca-proxy/index.ts';
import { passedOnIdentityRoute } from '../../services/identity/index.ts';
import { membershipRoute } from '../../services/infrastructure/index.ts';
import { rememberedNodeMigrations } from '../../services/nodes/index.ts';
import { outboxMigrations } from '../../services/outbox/index.ts';
import { createAgentServices } from '../agents/agent-services.ts';
import { mirroredPackages } from '../agents/packages.ts';
import { ownInstance } from '../autoscaler/own-instance.ts';
import { CrlFollower } from '../ca/crl-follower.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import { openMemberCode } from '../code/member-code.ts';
import { infrastructurePredicate } from '../infrastructure/infrastructure-identity.ts';
import { Membership } from '../infrastructure/membership.ts';
import { ownReport } from '../infrastructure/own-report.ts';
import { receiveFiles } from '../infrastructure/server-files.ts';
import { openMemberData } from '../node-data/member-data.ts';
import { followGroups, memberCheckIns, memberNodes, valuesOfMember } from '../nodes/member-nodes.ts';
import { brokerPart } from '../orchestration/broker.ts';
import { createAgentPort } from '../ports/agent-port.ts';
import { controllerUrl } from '../ports/port-numbers.ts';
import type { RunningServer } from '../running-server.ts';
import { memberGround } from './member-parts.ts';

const services = memberGround([...outboxMigrations, ...rememberedNodeMigrations])
  .with({
    data: ({ foundation, primary }) => ({ value: openMemberData(foundation, primary) }),
    groups: async ({ foundation, primary }) => {
      const groups = await followGroups(foundation, primary);
      return { value: groups, start: () => groups?.start(), stop: () => groups?.stop() };
    },
    serverFiles: ({ files, foundation, primary }) => receiveFiles(foundation, primary, files.privateKey),
  })
  .with({
    checkIns: ({ foundation, groups, primary }) => {
      const queue = memberCheckIns(foundation, primary, groups);
      return { value: queue, stop: () => queue.flush() };
    },
  })
  .with({
    agentServices: ({ checkIns, data, foundation, groups, primary, serverFiles }) => ({
      value: createAgentServices(foundation, {
        ...data.termini,
        ...memberNodes(foundation, primary, groups, checkIns),
        outerFiles: serverFiles.outerFiles,
      }),
    }),
  })
  .with({
    report: ({ agentServices: { code, pool, work }, certificate, data, ports, settings, status }) => ({
      value: ownReport({
        settings,
        status,
        ports,
        compiling: { pool, versions: code.versions },
        work,
        certificateEndsAt: () => certificate.endsAt,
        undelivered: () => data.undelivered(),
      }),
    }),
  });

const compileServer = services
  .with({
    broker: async ({ certificate, files, foundation, ports, primary, settings }) => {
      const url = controllerUrl(primary.primaryUrl, settings);
      // Without an orchestrator a broker would only turn agents away.
      if (url === undefined) return { value: undefined };
      const part = brokerPart(foundation, {
        ports,
        tls: await readTlsMaterial(files),
        controllerUrls: [url],
      });
      if (part.value !== undefined) certificate.attach(part.value);
      return part;
    },
  })
  .with({
    instance: ({ agentServices: { work }, log, primary, settings }) => ({
      value: ownInstance({ ...primary, settings, log, work }),
    }),
  })
  .with({
    membership: ({
      agentServices: { pool, work },
      data,
      files,
      instance,
      log,
      primary,
      report,
      serverFiles,
    }) => {
      const membership = new Membership({
        ...primary,
        files,
        log: log.child({ service: 'infrastructure' }),
        report,
        onLeft: () => serverFiles.clear(),
        onMeanCompileMs: (durationMs) => pool.expectCompileMs(durationMs),
        onCapacityUsed: (percent) => instance?.noteCapacity(percent),
        onLongWaiting: (nodes) => work.noteLongWaiting(new Set(nodes)),
        onAccepted: ({ work: told }) =>
          told && work.acknowledge({ first: told.first_run, count: told.runs.length }),
      });
      // The last of all to end: what it says depends on what the others could finish.
      const stop = async () => {
        await membership.stop(data.isDrained);
        await instance?.stop(membership.isToLeave && data.isDrained);
      };
      return { value: membership, stop };
    },
  })
  .with({
    deliveries: ({ data, membership }) => ({
      value: undefined,
      stop: () => data.stop(membership.isToLeave),
    }),
  })
  .with({
    catalogs: ({ agentServices }) => {
      const { alerts, routes } = agentServices;
      const stop = () => agentServices.stop();
      return { value: undefined, routes, ...(alerts === undefined ? {} : { alerts }), stop };
    },
    packages: async ({ files, foundation, groups, log, primary, settings }) => {
      const values = await valuesOfMember(foundation, groups, files.certificate);
      const source = { ...primary, log: log.child({ service: 'packages' }) };
      const packages = mirroredPackages(settings, files.ca, source, values);
      return { ...packages, value: undefined };
    },
    authority: ({ files, log, primary }) => ({
      value: undefined,
      routes: caProxyRoutes({
        ...primary,
        caFile: files.ca,
        crlFile: files.crl,
        log: log.child({ service: 'ca-proxy' }),
      }),
    }),
    whereabouts: ({ primary }) => ({
      value: undefined,
      routes: [membershipRoute(primary.primaryUrl), passedOnIdentityRoute(primary)],
    }),
    code: ({ agentServices, foundation, primary, serverFiles }) => {
      const code = openMemberCode(foundation, agentServices.code, primary);
      serverFiles.attach(agentServices.code);
      const { register, routes } = code;
      return {
        value: code,
        routes,
        register: (status) => register?.(status),
        start: () => code.restore(),
      };
    },
  })
  .with({
    agents: async (opened, parts) => {
      const {
        certificate,
        code,
        foundation,
        groups,
        instance,
        log,
        membership,
        primary,
        serverFiles,
        settings,
      } = opened;
      const readiness = () =>
        membership.obstacle ??
        instance?.obstacle ??
        code.obstacle ??
        serverFiles.obstacle ??
        (groups?.copy.kind === 'unknown' ? 'groups of nodes from the primary' : undefined);
      const agents = await createAgentPort(foundation, {
        ...opened,
        isInfrastructure: infrastructurePredicate(settings),
        parts,
        readiness,
      });
      certificate.attach(agents.http);
      return {
        value: agents,
        async start() {
          const port = await agents.listen();
          const { primaryUrl } = primary;
          instance?.start(() => readiness() === undefined);
          log.info({ port, certname: settings.certname, primaryUrl }, 'compile server is listening');
        },
        reload: () => agents.reloadRules(),
        retire: () => agents.retire(),
        stop: () => agents.drain(),
      };
    },
  })
  .with({
    newCode: ({ code }) => ({ value: undefined, start: () => code.follow(), stop: () => code.stop() }),
  })
  .with({
    revocations: ({ agents: { http }, broker, files, log, membership, primary }) => {
      const crl = new CrlFollower({
        ...primary,
        file: files.crl,
        log: log.child({ service: 'crl' }),
        async onChange(lists) {
          http.setRevocationLists(lists);
          broker?.setRevocationLists(lists);
          await membership.look(lists);
        },
      });
      return { value: undefined, start: () => crl.start(), stop: () => crl.stop() };
    },
  })
  .with({
    contact: ({ certificate, data, membership }) => ({
      value: undefined,
      start() {
        data.start();
        membership.start();
        void certificate.run();
      },
      stop: () => certificate.stop(),
    }),
  });

export async function startCompileServer(
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { opened, reload, stop } = await compileServer.start({ settings, log, signal });
  return { port: opened.agents.port, leaving: opened.membership.leaving, reload, stop };
}
