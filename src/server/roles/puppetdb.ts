/** PuppetDB on a host of its own: the rest of the installation uses it by `puppetdb.conf`. */

import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { puppetDbVersion } from '../../services/puppetdb/index.ts';
import { consoleServicesUrl, primaryTokens } from '../access/primary-tokens.ts';
import type { TlsReloader } from '../ca/service-certificates.ts';
import { infrastructurePredicate } from '../infrastructure/infrastructure-identity.ts';
import { openOwnPuppetDb } from '../node-data/own-puppetdb.ts';
import { agentsPort } from '../ports/open-ports.ts';
import { openPuppetDbPort } from '../ports/puppetdb-port.ts';
import type { RunningServer } from '../running-server.ts';
import { loneMember } from './member-parts.ts';

/** What the routes of its port ask for. */
const permissions = ['view_data', 'edit_data'].map((action) => ({ objectType: 'nodes', action }));
const knownPort = 8081;

const puppetDbRole = loneMember('puppetdb', [])
  .with({
    puppetDb: async ({ log, settings, status }) => {
      const puppetDb = await openOwnPuppetDb(settings, log.child({ service: 'puppetdb' }));
      status.register({
        names: ['puppetdb-status'],
        version: puppetDbVersion,
        read: async () => ({
          state: (await puppetDb.isUp()) ? 'running' : 'error',
          status: { queue_depth: puppetDb.queueDepth },
        }),
      });
      return { value: puppetDb, stop: () => puppetDb.close() };
    },
  })
  .with({
    port: async ({ certificate, files, foundation, ports, primary, puppetDb, settings }) => {
      const attached: TlsReloader[] = [];
      const certificates = {
        ensure: () => Promise.resolve(files),
        attach(_service: string, port: TlsReloader) {
          attached.push(port);
          certificate.attach(port);
        },
      };
      const url = consoleServicesUrl(primary.primaryUrl, settings);
      const opened = await openPuppetDbPort(foundation, certificates, puppetDb, {
        isInfrastructure: infrastructurePredicate(settings),
        authenticate: primaryTokens(primary.client, url, permissions),
      });
      ports.note(opened.port ?? knownPort, agentsPort, 'puppetdb-status');
      const setRevocationLists: TlsReloader['setRevocationLists'] = (...lists) => {
        for (const port of attached) port.setRevocationLists(...lists);
      };
      return {
        value: { setRevocationLists },
        stop: () => opened.stop(settings.drainTimeoutSeconds * 1000),
      };
    },
  })
  .with({ contact: (opened) => opened.contactFor(opened.port) });

export async function startPuppetDb(
  settings: Settings,
  log: RootLogger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const puppetDbPort = settings.puppetDbPort === 'auto' ? knownPort : settings.puppetDbPort;
  const given = { settings: { ...settings, puppetDbPort }, log, signal };
  const { opened, reload, stop } = await puppetDbRole.start(given);
  const port = opened.ports.find(agentsPort) ?? knownPort;
  return { port, leaving: opened.membership.leaving, reload, stop };
}
