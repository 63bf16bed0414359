/** The PCP broker of a server: its port, its thread, its status. */

import { existsSync, readFileSync } from 'node:fs';
import type { TlsMaterial } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { BrokerThread } from '../../services/broker/index.ts';
import type { StatusProvider } from '../../services/status/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { OpenPorts } from '../ports/open-ports.ts';
import { namingSetting, pcpBrokerPort } from '../ports/port-numbers.ts';
import type { Part } from '../roles/role.ts';
import { workerFile } from '../worker-files.ts';

export interface BrokerSources {
  readonly ports: OpenPorts;
  /** What the port shows to its clients, and whom it believes. */
  readonly tls: TlsMaterial;
  /** Where the broker connects to orchestrators of other servers; none where the orchestrator is in this process. */
  readonly controllerUrls: readonly string[];
}

/** The broker, where the settings name a port for it. */
export function brokerPart(foundation: Foundation, sources: BrokerSources): Part<BrokerThread | undefined> {
  const { log, settings } = foundation;
  const wanted = pcpBrokerPort(settings);
  if (wanted === 0) return { value: undefined };
  const thread = new BrokerThread(
    workerFile('broker-worker'),
    threadOptions(settings, wanted, sources, log.isWriting('debug')),
    log.child({ service: 'broker' }),
  );
  return {
    value: thread,
    register: (status) => status.register(brokerStatus(settings, thread)),
    async start() {
      const port = await namingSetting('pcp_broker_port', () => thread.listen());
      sources.ports.note(port, 'broker-service');
      log.info({ port }, 'PCP broker is listening');
    },
    reload: () => thread.setRules(rulesFile(settings)),
    retire: () => thread.retire(settings.drainDelaySeconds * 1000),
    stop: () => thread.stop(),
  };
}

function threadOptions(
  settings: Settings,
  port: number,
  { controllerUrls, tls }: BrokerSources,
  isDebugging: boolean,
) {
  return {
    uri: `pcp://${settings.certname}/server`,
    port,
    host: settings.listen === '' ? undefined : settings.listen,
    tls,
    rules: rulesFile(settings),
    trustedProxies: settings.trustedProxies,
    maxConnections: settings.pcpBrokerMaxConnections,
    maxMessageBytes: settings.pcpBrokerMaxMessageBytes,
    messagesPerSecond: settings.pcpBrokerMessageRate,
    connectionsPerSecond: settings.pcpBrokerConnectionRate,
    idleTimeoutMs: settings.pcpBrokerIdleTimeoutSeconds * 1000,
    controllerGraceMs: settings.pcpBrokerGracePeriodSeconds * 1000,
    controllerUrls,
    logFile: settings.pcpBrokerLog,
    accessLogFile: settings.pcpBrokerAccessLog,
    isDebugging,
  };
}

function rulesFile({
  authConf: file,
}: Settings): { readonly text: string; readonly file: string } | undefined {
  return existsSync(file) ? { text: readFileSync(file, 'utf8'), file } : undefined;
}

function brokerStatus(settings: Settings, thread: BrokerThread): StatusProvider {
  return {
    names: ['broker-service'],
    version: announcedVersion(settings),
    // Catalogs can be served without an orchestrator.
    isApart: true,
    async read(level) {
      const { connections, controllers, state } = thread.state;
      if (level === 'critical') return { state };
      const metrics = await thread.metrics();
      const details = level === 'debug' ? { memory: metrics?.memory } : {};
      return { state, status: { connections, controllers, metrics: metrics?.timers ?? {}, ...details } };
    },
  };
}
