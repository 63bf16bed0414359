/** Files by which the machine's Puppet agent, as a node of the demo, gets a PXP agent. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DemoAgent {
  readonly certname: string;
  /** Of the Puppet agent. */
  readonly directory: string;
  /** Options of `puppet` that name the agent's places and its server. */
  readonly options: string;
  readonly brokerPorts: readonly number[];
  /** Where files of tasks come from. */
  readonly serverUrl: string;
}

/** @returns the configuration file of the PXP agent */
export function writePxpConfiguration({
  brokerPorts,
  certname,
  directory,
  options,
  serverUrl,
}: DemoAgent): string {
  const own = join(directory, 'pxp');
  const ssl = join(directory, 'ssl');
  for (const name of ['modules', 'modules-config']) mkdirSync(join(own, name), { recursive: true });
  // The agent's places are not the usual ones, so Puppet has to be told of them.
  writeFileSync(join(own, 'puppet'), `#!/bin/sh\nexec puppet "$@" ${options}\n`, { mode: 0o755 });
  const puppet = JSON.stringify({ puppet_bin: join(own, 'puppet') });
  writeFileSync(join(own, 'modules-config', 'pxp-module-puppet.conf'), puppet);
  const file = join(own, 'pxp-agent.conf');
  const settings = {
    'broker-ws-uris': brokerPorts.map((port) => `wss://localhost:${port}/pcp2/`),
    'pcp-version': '2',
    'master-uris': [serverUrl],
    'ssl-ca-cert': join(ssl, 'certs', 'ca.pem'),
    'ssl-cert': join(ssl, 'certs', `${certname}.pem`),
    'ssl-key': join(ssl, 'private_keys', `${certname}.pem`),
    'ssl-crl': join(ssl, 'crl.pem'),
    'spool-dir': join(own, 'spool'),
    'task-cache-dir': join(own, 'tasks-cache'),
    'modules-dir': join(own, 'modules'),
    'modules-config-dir': join(own, 'modules-config'),
    logfile: '-',
  };
  writeFileSync(file, `${JSON.stringify(settings, undefined, 2)}\n`);
  return file;
}
