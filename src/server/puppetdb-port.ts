/** The port of the PuppetDB API: mutual TLS, an allow list of certnames. */

import { randomUUID } from 'node:crypto';
import { type Access, createHttpServer } from '../platform/http/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import {
  CommandProcessor,
  collectGarbage,
  type Lifetimes,
  puppetDbRoutes,
  QueryService,
} from '../services/puppetdb/index.ts';
import { readTlsMaterial } from './agent-port.ts';
import type { Foundation } from './foundation.ts';
import { periodically } from './periodic.ts';
import type { ServiceCertificates } from './service-certificates.ts';

export interface PuppetDbPort {
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

const gcIntervalMs = 3_600_000;

/** Opens the port that `puppetdb_port` names. @returns `undefined` when it names none */
export async function openPuppetDbPort(
  { database, log, metrics, settings }: Foundation,
  certificates: ServiceCertificates,
): Promise<PuppetDbPort | undefined> {
  if (settings.puppetDbPort === 0) return undefined;
  const now = () => new Date();
  const http = createHttpServer({
    routes: puppetDbRoutes({
      processor: new CommandProcessor({ database, log: log.child({ service: 'puppetdb' }), now }),
      queries: new QueryService(database),
      allow: allowed(settings.puppetDbAllowlist),
      now,
      newId: randomUUID,
    }),
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
      await collectGarbage(database, lifetimes, now());
    },
    gcIntervalMs,
    log,
    'forget old nodes and reports',
  );
  void garbage.run();
  certificates.attach('puppetdb', http);
  return {
    async stop(timeoutMs) {
      await garbage.stop();
      await http.drain(timeoutMs);
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
