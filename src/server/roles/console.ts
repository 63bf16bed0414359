/** Console services on a host without state: everything is passed on to the primary. */

import { ServiceError } from '../../lib/service-error.ts';
import { createHttpServer } from '../../platform/http/index.ts';
import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { securityHeaders } from '../../services/console/index.ts';
import { consolePageRoutes, consoleProxyRoutes } from '../../services/console-proxy/index.ts';
import { consoleServicesUrl } from '../access/primary-tokens.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import { agentsPort } from '../ports/open-ports.ts';
import { consolePorts, listenBeside, listenOnFirst } from '../ports/port-numbers.ts';
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
  .with({
    pages: async ({ certificate, files, foundation, log, ports, primary, settings }) => {
      const { bodyBudget, metrics, transfers } = foundation;
      const wanted = consolePorts(settings);
      const { client, primaryUrl } = primary;
      const http = createHttpServer({
        routes: consolePageRoutes({ client, urls: consoleUrls(primaryUrl) }),
        authorization: { rules: [], allowHeaderCertInfo: false },
        answerHeaders: securityHeaders,
        asksForCertificates: false,
        tls: await readTlsMaterial(files),
        log: log.child({ service: 'http' }),
        bodyBudget,
        transfers,
        onServed: metrics.observeRequest,
      });
      certificate.attach(http);
      return {
        value: http,
        async start() {
          if (wanted.length === 0) return;
          try {
            const opened = await listenOnFirst(http, wanted, settings, 'console_port');
            ports.note(opened, 'console-service');
            log.info({ port: opened, primaryUrl }, 'console is listening');
          } catch (error) {
            // The APIs come first: pages that are on by default must not stop them.
            if (settings.consolePort !== 'auto' || !(error instanceof ServiceError)) throw error;
            log.warn({ ports: wanted }, `The console is not there: ${error.message}`);
          }
        },
        stop: () => http.drain(settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({ contact: (opened) => opened.contactFor(opened.port) });

/** The default ports of the primary's console. */
function consoleUrls(primaryUrl: string): readonly string[] {
  const { hostname } = new URL(primaryUrl);
  return [`https://${hostname}`, `https://${hostname}:8443`];
}

export async function startConsole(
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { opened, reload, stop } = await consoleRole.start({ settings, log, signal });
  const port = opened.ports.find(agentsPort) ?? knownPort;
  return { port, leaving: opened.membership.leaving, reload, stop };
}
