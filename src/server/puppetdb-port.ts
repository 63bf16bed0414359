/** The port of the PuppetDB API: mutual TLS, an allow list of certnames. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Access, createHttpServer } from '../platform/http/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { DatabaseLocation } from '../platform/storage/index.ts';
import { type Lifetimes, openPuppetDb, type PuppetDb, puppetDbRoutes } from '../services/puppetdb/index.ts';
import { readTlsMaterial } from './agent-port.ts';
import type { Foundation } from './foundation.ts';
import { periodically } from './periodic.ts';
import type { ServiceCertificates } from './service-certificates.ts';
import { workerFile } from './worker-files.ts';

export interface PuppetDbPort {
  /** The one that is listened on. */
  readonly port: number;
  /** Commands that have arrived and are not carried out yet. */
  readonly queueDepth: number;
  /** A node that left. @throws ServiceError `unavailable` when the database is away */
  deactivate(certname: string): Promise<void>;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

const gcIntervalMs = 3_600_000;

/** Transactions on PostgreSQL at a time: enough to share its syncs. */
const writeConnections = 6;

/** Opens PuppetDB where this server has it: in a file of its own or in PostgreSQL. */
export async function openOwnPuppetDb({
  log,
  settings,
}: Pick<Foundation, 'log' | 'settings'>): Promise<PuppetDb> {
  const location = puppetDbLocation(settings);
  return await openPuppetDb({
    location,
    workerUrl: workerFile('puppetdb-worker'),
    log: log.child({ service: 'puppetdb' }),
    now: () => new Date(),
    newId: randomUUID,
    queryThreads: location.kind === 'sqlite' ? Math.min(settings.puppetDbReadPool, 2) : 1,
    queryTimeoutMs: settings.puppetDbQueryTimeoutSeconds * 1000,
  });
}

export function puppetDbLocation(settings: Settings): DatabaseLocation {
  if (settings.puppetDbDatabase === '') {
    return { kind: 'sqlite', path: join(settings.stateDir, 'puppetdb.sqlite') };
  }
  return {
    kind: 'postgresql',
    url: settings.puppetDbDatabase,
    connections: Math.max(settings.puppetDbReadPool, writeConnections),
    statementTimeoutMs: settings.puppetDbQueryTimeoutSeconds * 1000,
  };
}

/** Opens the port that `puppetdb_port` names. @returns `undefined` when it names none */
export async function openPuppetDbPort(
  foundation: Foundation,
  certificates: ServiceCertificates,
): Promise<PuppetDbPort | undefined> {
  const { log, metrics, settings } = foundation;
  if (settings.puppetDbPort === 0) return undefined;
  const puppetDb = await openOwnPuppetDb(foundation);
  const now = () => new Date();
  const http = createHttpServer({
    routes: puppetDbRoutes({ puppetDb, allow: allowed(settings.puppetDbAllowlist), now }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    tls: await readTlsMaterial(await certificates.ensure('puppetdb')),
    log: log.child({ service: 'http' }),
    onServed: metrics.observeRequest,
  });
  const host = settings.listen === '' ? undefined : settings.listen;
  const port = await http.listen(settings.puppetDbPort, host);
  log.info({ port }, 'PuppetDB API is listening');
  const lifetimes = lifetimesOf(settings);
  const garbage = periodically(
    async () => {
      await puppetDb.collectGarbage(lifetimes);
    },
    gcIntervalMs,
    log,
    'forget old nodes and reports',
  );
  void garbage.run();
  certificates.attach('puppetdb', http);
  return {
    port,
    get queueDepth() {
      return puppetDb.queueDepth;
    },
    async deactivate(certname) {
      const payload = Buffer.from(JSON.stringify({ certname, producer_timestamp: now().toISOString() }));
      await puppetDb.process({ command: 'deactivate_node', version: 3, certname, payload });
    },
    async stop(timeoutMs) {
      await garbage.stop();
      await http.drain(timeoutMs);
      await puppetDb.close();
    },
  };
}

/** 0 is never. */
function lifetimesOf({ nodeTtlSeconds, nodePurgeTtlSeconds, reportTtlSeconds }: Settings): Lifetimes {
  return {
    ...(nodeTtlSeconds > 0 ? { nodeTtlMs: nodeTtlSeconds * 1000 } : {}),
    ...(nodePurgeTtlSeconds > 0 ? { nodePurgeTtlMs: nodePurgeTtlSeconds * 1000 } : {}),
    ...(reportTtlSeconds > 0 ? { reportTtlMs: reportTtlSeconds * 1000 } : {}),
  };
}

function allowed(certnames: readonly string[]): Access {
  const names = new Set(certnames.map((certname) => certname.toLowerCase()));
  return { kind: 'certname', allows: (certname) => names.size === 0 || names.has(certname) };
}
