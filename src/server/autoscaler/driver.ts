/** The driver that the settings name. */

import { join } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';
import type { ClusterApi } from '../../platform/kubernetes/index.ts';
import { environmentWithoutSettings, type Settings } from '../../platform/settings/index.ts';
import {
  type Driver,
  execDriver,
  groupDriver,
  type JoinGrants,
  LocalDriver,
  podDriver,
  staticDriver,
  withKeptInventory,
} from '../../services/autoscaler/index.ts';
import type { Foundation } from '../foundation.ts';
import { openCluster } from '../infrastructure/cluster-terminus.ts';
import { agentsPort, type OpenPorts } from '../ports/open-ports.ts';
import { orchestratorPort } from '../ports/port-numbers.ts';
import { openGroups } from './aws.ts';

export interface DriverParts {
  readonly identities: { readonly certnameOfInstance: (instanceId: string) => Promise<string | undefined> };
  readonly ports: OpenPorts;
  readonly infrastructure: { readonly grants: JoinGrants; readonly caFingerprint: () => string };
}

const programTimeoutMs = 60_000;
/** AWS limits the calls of an account; an instance that ends waits for minutes. */
const awsSweepMs = 30_000;
const loopback = '127.0.0.1';

export async function openDriver(
  { log, processes, settings }: Foundation,
  { identities, infrastructure, ports }: DriverParts,
): Promise<Driver> {
  const { caFingerprint, grants } = infrastructure;
  const primaryUrl = () => urlOf(settings, ports);
  const environment = environmentWithoutSettings();
  switch (settings.autoscalerDriver) {
    case 'static':
      return staticDriver();
    case 'aws':
      return ownGroup(settings, identities);
    case 'kubernetes':
      return await ownPods(settings);
    case 'exec':
      return execDriver({
        command: [settings.autoscalerExec],
        start: processes.start,
        environment,
        primaryUrl,
        grants,
        timeoutMs: programTimeoutMs,
      });
    case 'local': {
      const orchestrator = orchestratorPort(settings);
      return await LocalDriver.open({
        directory: join(settings.stateDir, 'local-servers'),
        program: [process.execPath, ...process.argv.slice(1, 2)],
        primaryUrl,
        caFingerprint,
        listen: loopback,
        firstPort: settings.autoscalerLocalPort,
        altNames: ['puppet', ...settings.dnsAltNames.map((name) => name.replace(/^DNS:/, ''))],
        flags: ({ broker, health }) => [
          `--health-port=${health}`,
          ...(orchestrator === 0
            ? []
            : [`--orchestrator-port=${orchestrator}`, `--pcp-broker-port=${broker}`]),
          ...settings.autoscalerLocalSettings.map((line) => `--${line.trim().replaceAll('_', '-')}`),
        ],
        grants,
        graceMs: settings.autoscalerLocalGraceSeconds * 1000,
        environment,
        nowMs: () => performance.now(),
        log: log.child({ service: 'autoscaler' }),
      });
    }
  }
}

/** @throws ServiceError `conflict` without the name of a group */
function ownGroup(settings: Settings, { certnameOfInstance }: DriverParts['identities']): Driver {
  const driver = groupDriver({
    groups: openGroups(),
    group: groupOf(settings),
    launchHook: settings.autoscalerLaunchHook,
    terminateHook: settings.autoscalerTerminateHook,
    certnameOf: certnameOfInstance,
  });
  return withKeptInventory(driver, { keepMs: awsSweepMs, nowMs: () => performance.now() });
}

/** @throws ServiceError `conflict` without a cluster */
async function ownPods(settings: Settings): Promise<Driver> {
  return podDriver({ cluster: await ownCluster(settings), selector: settings.autoscalerPodSelector });
}

/** @throws ServiceError `conflict` without one */
async function ownCluster(settings: Settings): Promise<ClusterApi> {
  const cluster = await openCluster(settings);
  if (cluster !== undefined) return cluster;
  throw new ServiceError(
    'conflict',
    'autoscaler_driver = kubernetes needs kubeconfig, or a primary in a pod',
  );
}

/** @throws ServiceError `conflict` without one */
function groupOf({ autoscalerGroup }: Settings): string {
  if (autoscalerGroup !== '') return autoscalerGroup;
  throw new ServiceError(
    'conflict',
    'autoscaler_driver = aws needs autoscaler_group, the name of the Auto Scaling group',
  );
}

/** As servers of this machine reach it, by a name in its certificate. */
function urlOf({ certname, dnsAltNames, serverPort }: Settings, ports: OpenPorts): string {
  const isLocal = dnsAltNames.some((name) => name.replace(/^DNS:/, '') === 'localhost');
  return `https://${isLocal ? 'localhost' : certname}:${ports.find(agentsPort) ?? serverPort}`;
}
