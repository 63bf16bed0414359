/** The port of the PuppetDB API: mutual TLS, or tokens of users. */

import type { Change } from '../../platform/changes/index.ts';
import {
  createHttpServer,
  type Identity,
  type Route,
  type TokenAuthenticator,
} from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { cleanTasks, type PuppetDb, puppetDbRoutes } from '../../services/puppetdb/index.ts';
import { recordDeactivations } from '../access/deactivations.ts';
import { puppetDbAccess } from '../access/puppetdb-access.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import { readTlsMaterial } from '../ca/tls-files.ts';
import type { Foundation } from '../foundation.ts';
import { periodically } from '../periodic.ts';
import { listenBeside, puppetDbPort } from './port-numbers.ts';
import { puppetDbStatusRoutes } from './puppetdb-status.ts';

export interface PuppetDbPort {
  readonly puppetDb: PuppetDb;
  /** The one that is listened on; `undefined` when `puppetdb_port` names none. */
  readonly port: number | undefined;
  /** Its API, for other ports that users have. */
  readonly routes: readonly Route[];
  /** Commands that have arrived and are not carried out yet. */
  readonly queueDepth: number;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

/** What clients are recognised by. */
export interface PuppetDbClients {
  /** Knows tokens of users. */
  readonly authenticate: TokenAuthenticator;
  /** Whether a client is a compile server. */
  readonly isInfrastructure: (identity: Identity) => boolean;
  /** Whether a client may do everything, besides those of the allow list. */
  readonly isNamed?: (certname: string) => boolean;
  /** Where it is recorded who deactivated a node. */
  readonly record?: (change: Change) => Promise<void>;
}

const gcIntervalMs = 3_600_000;
const now = () => new Date();

/** Opens the port that `puppetdb_port` names, and looks after the server's own PuppetDB. */
export async function openPuppetDbPort(
  foundation: Foundation,
  certificates: Pick<ServiceCertificates, 'ensure' | 'attach'>,
  puppetDb: PuppetDb,
  clients: PuppetDbClients,
): Promise<PuppetDbPort> {
  const { bodyBudget, disks, log, metrics, settings, transfers } = foundation;
  const common = {
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: log.child({ service: 'http' }),
    bodyBudget,
    transfers,
    onServed: metrics.observeRequest,
  };
  const status = puppetDbStatusRoutes(puppetDb, log.child({ service: 'status' }), disks);
  const routes = clientRoutes(puppetDb, settings, clients);
  const http = createHttpServer({
    ...common,
    routes: [...routes, ...status],
    isInfrastructure: clients.isInfrastructure,
    authenticate: clients.authenticate,
    tls: await readTlsMaterial(await certificates.ensure('puppetdb')),
  });
  const wanted = puppetDbPort(settings);
  const port = wanted === 0 ? undefined : await listenBeside(http, wanted, settings, 'puppetdb_port');
  if (port !== undefined) log.info({ port }, 'PuppetDB API is listening');
  const anyone = { kind: 'anyone' } as const;
  const plain = createHttpServer({
    ...common,
    routes: [...puppetDbRoutes({ puppetDb, allow: anyone, allowAdmin: anyone, now }), ...status],
  });
  if (settings.puppetDbHttpPort !== 0) {
    const plainPort = await plain.listen(settings.puppetDbHttpPort, '127.0.0.1');
    log.info({ port: plainPort }, 'PuppetDB API is listening on loopback without TLS');
  }
  const garbage = periodically(
    async () => {
      await puppetDb.admin.clean({ tasks: cleanTasks });
    },
    gcIntervalMs,
    log,
    'forget old nodes and reports',
  );
  void garbage.run();
  certificates.attach('puppetdb', http);
  return {
    puppetDb,
    port,
    routes,
    get queueDepth() {
      return puppetDb.queueDepth;
    },
    async stop(timeoutMs) {
      await garbage.stop();
      await Promise.all([http.drain(timeoutMs), plain.drain(timeoutMs)]);
    },
  };
}

function clientRoutes(
  puppetDb: PuppetDb,
  settings: Settings,
  { isInfrastructure, isNamed, record }: PuppetDbClients,
): readonly Route[] {
  const access = puppetDbAccess(settings, isInfrastructure, isNamed);
  return puppetDbRoutes({ puppetDb, ...access, onTaken: record && recordDeactivations(record), now });
}
