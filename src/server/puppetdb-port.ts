/** The port of the PuppetDB API: mutual TLS, an allow list of certnames. */

import { randomUUID } from 'node:crypto';
import { type Access, createHttpServer, type HttpServer } from '../platform/http/index.ts';
import { CommandProcessor, puppetDbRoutes, QueryService } from '../services/puppetdb/index.ts';
import { readTlsMaterial, type TlsFiles } from './agent-port.ts';
import type { Foundation } from './foundation.ts';

/** Opens the port that `puppetdb_port` names. @returns `undefined` when it names none */
export async function openPuppetDbPort(
  { database, log, metrics, settings }: Foundation,
  files: TlsFiles,
): Promise<HttpServer | undefined> {
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
    tls: await readTlsMaterial(files),
    log: log.child({ service: 'http' }),
    onServed: metrics.observeRequest,
  });
  const host = settings.listen === '' ? undefined : settings.listen;
  const port = await http.listen(settings.puppetDbPort, host);
  log.info({ port }, 'PuppetDB API is listening');
  return http;
}

function allowed(certnames: readonly string[]): Access {
  const names = new Set(certnames.map((certname) => certname.toLowerCase()));
  return { kind: 'certname', allows: (certname) => names.size === 0 || names.has(certname) };
}
