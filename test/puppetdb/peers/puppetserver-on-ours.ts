/** Debian's puppetserver with PuppetDB's terminus, on a PuppetDB of ours. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { createHttpServer } from '../../../src/platform/http/index.ts';
import { silentLogger } from '../../../src/platform/log/index.ts';
import { puppetDbRoutes } from '../../../src/services/puppetdb/index.ts';
import { RealPuppetserver } from '../../ca/real-puppetserver.ts';
import { startPuppetDb } from '../running-puppetdb.ts';
import { type PeerRuns, runPeers } from './peer-runs.ts';

/** @param base - a directory of its own */
export async function runOnPuppetserver(base: string): Promise<PeerRuns> {
  const port = await freePort();
  const server = new RealPuppetserver({
    base,
    certname: 'localhost',
    port,
    autosign: 'true',
    settings: { storeconfigs: 'true', storeconfigs_backend: 'puppetdb', reports: 'puppetdb' },
  });
  await server.ca('setup', '--subject-alt-names', 'localhost');
  const running = await startPuppetDb();
  running.setTime(new Date());
  const access = { kind: 'anyone' } as const;
  const http = createHttpServer({
    routes: puppetDbRoutes({
      puppetDb: running.puppetDb,
      allow: access,
      allowAdmin: access,
      now: () => new Date(),
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
    tls: tlsOf(server),
  });
  try {
    const url = `https://localhost:${await http.listen(0, 'localhost')}`;
    writeFileSync(join(server.confDir, 'puppetdb.conf'), `[main]\nserver_urls = ${url}\n`);
    writeFileSync(join(server.confDir, 'routes.yaml'), routes);
    const manifests = join(base, 'code', 'environments', 'production', 'manifests');
    mkdirSync(manifests, { recursive: true });
    writeFileSync(join(manifests, 'site.pp'), readFileSync(new URL('site.pp', import.meta.url)));
    await server.start();
    return await runPeers(base, port, (query) => running.puppetDb.query(query));
  } finally {
    await server.stop();
    await http.drain(0);
    await running.stop();
  }
}

const routes = 'master:\n  facts:\n    terminus: puppetdb\n    cache: yaml\n';

function tlsOf({ caDir, sslDir }: RealPuppetserver) {
  const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
  return {
    ca: read(caDir, 'ca_crt.pem'),
    crl: read(caDir, 'ca_crl.pem'),
    certificate: read(sslDir, 'certs', 'localhost.pem'),
    privateKey: read(sslDir, 'private_keys', 'localhost.pem'),
  };
}
