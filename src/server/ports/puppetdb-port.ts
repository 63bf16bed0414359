/** The port of the PuppetDB API: mutual TLS with an allow list of certnames, or tokens of users. */

import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { createHttpServer, type IdentityAccess } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  cleanTasks,
  type PuppetDb,
  type PuppetDbRouteOptions,
  puppetDbRoutes,
} from '../../services/puppetdb/index.ts';
import type { Rbac } from '../../services/rbac/index.ts';
import { usersAnd } from '../access/port-access.ts';
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
  /** Commands that have arrived and are not carried out yet. */
  readonly queueDepth: number;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

const gcIntervalMs = 3_600_000;

/** Archives of large fleets are read as fast as they are carried out. */
const importTimeoutMs = 6 * 3_600_000;

/** Opens the port that `puppetdb_port` names, and looks after the server's own PuppetDB. */
export async function openPuppetDbPort(
  foundation: Foundation,
  certificates: ServiceCertificates,
  puppetDb: PuppetDb,
  rbac: Rbac,
): Promise<PuppetDbPort> {
  const { log, metrics, settings } = foundation;
  const now = () => new Date();
  const common = {
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: log.child({ service: 'http' }),
    onServed: metrics.observeRequest,
    limits: { requestTimeoutMs: importTimeoutMs, handlerTimeoutMs: importTimeoutMs },
  };
  const status = puppetDbStatusRoutes(puppetDb, log.child({ service: 'status' }));
  const http = createHttpServer({
    ...common,
    routes: [...puppetDbRoutes({ puppetDb, ...accessOf(settings), now }), ...status],
    authenticate: rbac.tokens.authenticate,
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
      await puppetDb.clean({ tasks: cleanTasks });
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
    get queueDepth() {
      return puppetDb.queueDepth;
    },
    async stop(timeoutMs) {
      await garbage.stop();
      await Promise.all([http.drain(timeoutMs), plain.drain(timeoutMs)]);
      await puppetDb.close();
    },
  };
}

/** Where nobody is named, whoever has a certificate may ask and send, but only this host may export, import and delete. */
function accessOf({
  certname,
  puppetDbAllowlist,
}: Settings): Pick<PuppetDbRouteOptions, 'allow' | 'allowAdmin' | 'allowCommands'> {
  const names = new Set(puppetDbAllowlist.flatMap(namesIn).map((name) => name.toLowerCase()));
  const byCertname = (allows: (name: string) => boolean): IdentityAccess => ({ kind: 'certname', allows });
  const certificates = byCertname((name) => names.size === 0 || names.has(name));
  const administrators = byCertname((name) => (names.size === 0 ? name === certname : names.has(name)));
  return {
    allow: usersAnd(certificates, 'nodes', 'view_data'),
    allowCommands: usersAnd(certificates, 'nodes', 'edit_data'),
    allowAdmin: usersAnd(administrators, 'nodes', 'edit_data'),
  };
}

/** A path is a file with a certname in each line, as the reference's `certificate-allowlist`. */
function namesIn(entry: string): readonly string[] {
  if (!isAbsolute(entry)) return [entry];
  const lines = readFileSync(entry, 'utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
