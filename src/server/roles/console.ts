/** Console services on a host without state: everything is passed on to the primary. */

import { createHttpServer } from '../../platform/http/index.ts';
import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { consoleProxyRoutes } from '../../services/console-proxy/index.ts';
import { consoleServicesUrl } from '../access/primary-tokens.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import { agentsPort } from '../ports/open-ports.ts';
import { listenBeside } from '../ports/port-numbers.ts';
import { PortStatus } from '../ports/port-status.ts';
import type { RunningServer } from '../running-server.ts';
import { loneMember } from './member-parts.ts';

const knownPort = 4433;

const consoleRole = loneMember('console', [])
  .with({
    port: async ({ certificate, files, foundation, log, ports, primary, settings, status }) => {
      const { bodyBudget, metrics, transfers } = foundation;
      const portStatus = new PortStatus(status, log.child({ service: 'status' }));
      const { client, isPrimaryAway, primaryUrl } = primary;
      const proxied = { client, url: consoleServicesUrl(primaryUrl, { consoleServicesPort: 'auto' }) };
      const http = createHttpServer({
        routes: [...portStatus.routes, ...consoleProxyRoutes(proxied)],
        authorization: { rules: [], allowHeaderCertInfo: false },
        tls: await readTlsMaterial(files),
        log: log.child({ service: 'http' }),
        bodyBudget,
        transfers,
        onServed: metrics.observeRequest,
      });
      certificate.attach(http);
      for (const name of ['rbac-service', 'classifier-service', 'activity-service'])
        portStatus.register({
          names: [name],
          version: announcedVersion(settings),
          read: async () => {
            if (http.isDraining) return { state: 'stopping' };
            return { state: (await isPrimaryAway()) ? 'error' : 'running' };
          },
        });
      return {
        value: http,
        async start() {
          const { consoleServicesPort: port } = settings;
          const wanted = port === 'auto' ? knownPort : port;
          const opened = await listenBeside(http, wanted, settings, 'console_services_port');
          ports.note(opened, agentsPort, 'rbac-service', 'classifier-service', 'activity-service');
          log.info({ port: opened, primaryUrl }, 'console services are listening');
        },
        stop: () => http.drain(settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({ contact: (opened) => opened.contactFor(opened.port) });

export async function startConsole(
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { opened, reload, stop } = await consoleRole.start({ settings, log, signal });
  const port = opened.ports.find(agentsPort) ?? knownPort;
  return { port, leaving: opened.membership.leaving, reload, stop };
}
