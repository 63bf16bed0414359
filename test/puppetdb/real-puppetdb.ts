/** The real PuppetDB of Debian on a PostgreSQL of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../demo/ports.ts';
import { type RunningPostgres, startPostgres } from '../support/running-postgres.ts';

const jar = '/usr/share/puppetdb/puppetdb.jar';

export const hasRealPuppetDb = existsSync(jar);

export interface RunningRealPuppetDb {
  readonly url: string;
  readonly pid: number;
  readonly postgres: RunningPostgres;
  stop(): Promise<void>;
}

/** The services that Debian's package runs, less those for people. */
const services = `puppetlabs.trapperkeeper.services.webserver.jetty9-service/jetty9-service
puppetlabs.trapperkeeper.services.webrouting.webrouting-service/webrouting-service
puppetlabs.trapperkeeper.services.metrics.metrics-service/metrics-webservice
puppetlabs.trapperkeeper.services.authorization.authorization-service/authorization-service
puppetlabs.trapperkeeper.services.status.status-service/status-service
puppetlabs.trapperkeeper.services.scheduler.scheduler-service/scheduler-service
puppetlabs.puppetdb.cli.services/puppetdb-service
puppetlabs.puppetdb.command/command-service
puppetlabs.puppetdb.pdb-routing/maint-mode-service
puppetlabs.puppetdb.pdb-routing/pdb-routing-service
puppetlabs.puppetdb.config/config-service
puppetlabs.puppetdb.dashboard/dashboard-redirect-service
`;

/** What Debian's rules allow on loopback. */
const authorization = `authorization: { version: 1, rules: [
  { match-request: { path: "/metrics", type: path }, allow-unauthenticated: true, sort-order: 500, name: metrics }
  { match-request: { path: "/status", type: path }, allow-unauthenticated: true, sort-order: 500, name: status }
] }
`;

/** Files in PEM. */
export interface RealPuppetDbTls {
  readonly port: number;
  readonly certificate: string;
  readonly privateKey: string;
  readonly ca: string;
}

/**
 * @param heapMb - Debian's default is 192, which its documentation calls too little for a fleet
 * @param tls - of a second port, for servers
 */
export async function startRealPuppetDb(heapMb: number, tls?: RealPuppetDbTls): Promise<RunningRealPuppetDb> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-real-puppetdb-'));
  const databasePort = await freePort();
  const postgres = await startPostgres({ isDurable: true, port: databasePort });
  await postgres.createDatabase();
  const port = await freePort();
  mkdirSync(join(directory, 'conf.d'));
  mkdirSync(join(directory, 'var'));
  writeFileSync(join(directory, 'bootstrap.cfg'), services);
  writeFileSync(
    join(directory, 'conf.d', 'config.ini'),
    configuration(directory, port, databasePort) + tlsConfiguration(tls),
  );
  writeFileSync(join(directory, 'conf.d', 'auth.conf'), authorization);
  const log = openSync(join(directory, 'log'), 'w');
  const child = spawn(
    'java',
    [
      `-Xmx${heapMb}m`,
      '-cp',
      jar,
      'clojure.main',
      '-m',
      'puppetlabs.puppetdb.core',
      'services',
      '-c',
      join(directory, 'conf.d'),
      '-b',
      join(directory, 'bootstrap.cfg'),
    ],
    { cwd: directory, stdio: ['ignore', log, log] },
  );
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await gone;
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid ?? 0, postgres, stop };
}

function configuration(directory: string, port: number, databasePort: number): string {
  return `[global]
vardir = ${join(directory, 'var')}
[puppetdb]
disable-update-checking = true
[database]
subname = //127.0.0.1:${databasePort}/test1
username = bunraku
password = none
gc-interval = 0
node-ttl = 0s
report-ttl = 10000d
node-purge-ttl = 36500d
[jetty]
host = 127.0.0.1
port = ${port}
`;
}

/** More of the section `jetty`. */
function tlsConfiguration(tls: RealPuppetDbTls | undefined): string {
  if (tls === undefined) return '';
  return `ssl-host = 127.0.0.1
ssl-port = ${tls.port}
ssl-cert = ${tls.certificate}
ssl-key = ${tls.privateKey}
ssl-ca-cert = ${tls.ca}
client-auth = want
`;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 800; attempt++) {
    if (child.exitCode !== null) throw new Error(`PuppetDB ended with ${child.exitCode}`);
    try {
      const reply = await fetch(`${url}/pdb/query/v4/nodes`);
      if (reply.ok) return;
    } catch {
      // Not listening yet.
    }
    await sleep(500);
  }
  throw new Error('the real PuppetDB did not start');
}
