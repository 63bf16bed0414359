/** The port of the orchestrator: jobs, tasks, inventory. */

import { operators, type Route } from '../../platform/http/index.ts';
import {
  connectionRoutes,
  orchestratorRoutes,
  type ScheduledJobs,
} from '../../services/orchestrator/index.ts';
import { type PlanJobs, planRoutes } from '../../services/plans/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';
import type { StatusRegistry } from '../../services/status/index.ts';
import { anyOf, certnames, usersAnd } from '../access/port-access.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { Controller } from '../orchestration/controller.ts';
import type { RunningOrchestrator } from '../orchestration/orchestrator.ts';
import type { OpenPorts } from './open-ports.ts';
import { listenBeside, orchestratorPort } from './port-numbers.ts';
import { PortStatus } from './port-status.ts';
import { createUserPort } from './user-port.ts';

export interface OrchestratorPort {
  /** Its API, for other ports that users have. */
  readonly routes: readonly Route[];
  /** Nothing where `orchestrator_port` names none. */
  listen(): Promise<void>;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

export interface OrchestratorSources {
  readonly certificates: ServiceCertificates;
  readonly rbac: Rbac;
  readonly orchestration: RunningOrchestrator;
  /** Takes brokers of compile servers in. */
  readonly controller: Controller;
  readonly plans: PlanJobs;
  readonly scheduled: ScheduledJobs;
  readonly status: StatusRegistry;
  readonly ports: OpenPorts;
}

export async function openOrchestratorPort(
  foundation: Foundation,
  { certificates, controller, orchestration, plans, ports, rbac, scheduled, status }: OrchestratorSources,
): Promise<OrchestratorPort> {
  const { log, settings } = foundation;
  const wanted = orchestratorPort(settings);
  const { connections, orchestrator, runner, taskTargets, usage } = orchestration;
  let port = wanted;
  const shared = {
    allow: usersAnd(anyOf(operators, certnames([settings.certname])), 'orchestrator', 'view'),
    authority: () => `${settings.certname}:${port}`,
  };
  const routes = [
    ...orchestratorRoutes({ orchestrator, scheduled, taskTargets, usage, ...shared }),
    ...connectionRoutes({ connections, ...shared }),
    ...planRoutes({ jobs: plans, findNodes: (...asked) => orchestrator.nodesFor(...asked), ...shared }),
  ];
  if (wanted === 0) return { routes, async listen() {}, async stop() {} };
  const portStatus = new PortStatus(status, log.child({ service: 'status' }));
  const http = await createUserPort(foundation, {
    name: 'orchestrator',
    certificates,
    rbac,
    routes: [...portStatus.routes, ...routes],
    onUpgrade: (...request) => controller.endpoint.upgrade(...request),
  });
  portStatus.show('broker-service');
  portStatus.register({
    names: ['orchestrator-service'],
    version: announcedVersion(settings),
    read() {
      if (http.isDraining) return { state: 'stopping' };
      const app = { 'deploy-queue.length': runner.queueLength };
      return { state: runner.isRunning ? 'running' : 'error', status: { metrics: { app } } };
    },
  });
  return {
    routes,
    async listen() {
      port = await listenBeside(http, wanted, settings, 'orchestrator_port');
      ports.note(port, 'orchestrator-service');
      log.info({ port }, 'API of jobs is listening');
    },
    async stop(timeoutMs) {
      controller.endpoint.close();
      await http.drain(timeoutMs);
    },
  };
}
