/** The port that Puppet Enterprise's clients know for users and tokens, and for groups of nodes. */

import { operators, type Route } from '../../platform/http/index.ts';
import { activityRoutes } from '../../services/activity/index.ts';
import {
  type CheckInStore,
  type Classifier,
  type ClassList,
  changingActions,
  checkInRoutes,
  classifierRoutes,
  classRoutes,
  type KnownNodes,
} from '../../services/classifier/index.ts';
import { apiUserSubject, type Rbac, rbacRoutes } from '../../services/rbac/index.ts';
import type { StatusRegistry } from '../../services/status/index.ts';
import type { Activity } from '../access/activity.ts';
import { anyOf, certnames, usersAnd } from '../access/port-access.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { OpenPorts } from './open-ports.ts';
import { consoleServicesPort, listenBeside } from './port-numbers.ts';
import { PortStatus } from './port-status.ts';
import { createUserPort } from './user-port.ts';

export interface ConsoleServicesPort {
  /** Its APIs, for other ports that users have. */
  readonly routes: readonly Route[];
  /** Nothing where `console_services_port` names none. */
  listen(): Promise<void>;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

export interface ConsoleServices {
  readonly certificates: ServiceCertificates;
  readonly rbac: Rbac;
  readonly activity: Activity;
  /** Absent where others classify. */
  readonly classifier: Classifier | undefined;
  /** Absent where others classify. */
  readonly checkIns: CheckInStore | undefined;
  readonly classes: ClassList;
  /** Absent without a PuppetDB. */
  readonly nodes: KnownNodes | undefined;
  readonly status: StatusRegistry;
  readonly ports: OpenPorts;
}

export async function openConsoleServicesPort(
  foundation: Foundation,
  { activity, certificates, checkIns, classes, classifier, nodes, ports, rbac, status }: ConsoleServices,
): Promise<ConsoleServicesPort> {
  const { log, settings } = foundation;
  const wanted = consoleServicesPort(settings);
  const apiUser = anyOf(operators, certnames(settings.rbacCertificateAllowlist));
  const classifying = anyOf(apiUser, certnames(settings.classifierAllowlist));
  const groupsAccess = {
    view: usersAnd(classifying, 'node_groups', 'view', '*'),
    viewSome: usersAnd(classifying, 'node_groups', 'view'),
    modify: anyOf(...changingActions.map((action) => usersAnd(classifying, 'node_groups', action))),
    servers: usersAnd(classifying, 'infrastructure', 'edit'),
  };
  const routes = [
    ...rbacRoutes(rbac, apiUser),
    ...activityRoutes({ store: activity.store, operators: apiUser, certificates: apiUserSubject }),
    ...(classifier === undefined
      ? []
      : [
          ...classifierRoutes(classifier, groupsAccess, classes, nodes),
          ...classRoutes(classes, groupsAccess, classifier),
        ]),
    ...(checkIns === undefined ? [] : checkInRoutes(checkIns, groupsAccess.view)),
  ];
  if (wanted === 0) return { routes, async listen() {}, async stop() {} };
  const portStatus = new PortStatus(status, log.child({ service: 'status' }));
  const http = await createUserPort(foundation, {
    name: 'console-services',
    certificates,
    rbac,
    routes: [...portStatus.routes, ...routes],
  });
  const state = () => (http.isDraining ? 'stopping' : 'running');
  const version = announcedVersion(settings);
  for (const name of ['rbac-service', 'activity-service'])
    portStatus.register({ names: [name], version, read: () => ({ state: state() }) });
  if (classifier !== undefined)
    portStatus.register({
      names: ['classifier-service'],
      version,
      read: () => ({ state: state(), status: { groups: classifier.hierarchy.all().length } }),
    });
  return {
    routes,
    async listen() {
      const port = await listenBeside(http, wanted, settings, 'console_services_port');
      ports.note(port, 'rbac-service', 'classifier-service', 'activity-service');
      log.info({ port }, 'APIs of users and groups are listening');
    },
    stop: (timeoutMs) => http.drain(timeoutMs),
  };
}
