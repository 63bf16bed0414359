/** An installation whose directories are recorded, and started again by later versions. */

import { join } from 'node:path';
import { Installation } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { SimulatedAgent } from '../../demo/simulated-agent.ts';
import { simulatedFacts } from '../../demo/simulated-facts.ts';
import { createLogger } from '../../src/platform/log/index.ts';

export interface Places {
  readonly directory: string;
  /** With `dist/`. */
  readonly program: string;
  /** With the examples. */
  readonly project: string;
  /** Where the primary has PuppetDB; in a file when absent. */
  readonly puppetDbUrl: string | undefined;
}

/** A node of facts that are invented: what is recorded tells nothing of a machine. */
export const recordedNode = 'web01.e2e.test';
/** A user with the role Administrators, and a password for these tests alone. */
export const recordedUser = { login: 'ada', password: 'recorded password' } as const;
/** What is below the directory of a recording, one archive for each. */
export const recordedDirectories = ['primary', 'compile1', 'compile2', 'agent'] as const;

/** The same on other ports: everything else is as it was recorded. */
export async function installationIn({
  directory,
  program,
  project,
  puppetDbUrl,
}: Places): Promise<Installation> {
  const ports = {
    primary: await freePort(),
    compileServers: [await freePort(), await freePort()],
    balancer: await freePort(),
    consoleServices: await freePort(),
  };
  return new Installation({
    directory,
    project: program,
    node: process.execPath,
    ports,
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: ['*.e2e.test'],
    settings: {
      node_terminus: 'classifier',
      keylength: 2048,
      // The recordings are to be of use for decades.
      ca_ttl: '50y',
      ...(puppetDbUrl === undefined ? {} : { puppetdb_database: puppetDbUrl }),
    },
  });
}

/** Its agent: it ran once with everything there, and once while the primary was away. */
export function recordedAgent(directory: string, port: number): SimulatedAgent {
  return new SimulatedAgent({
    certname: recordedNode,
    sslDir: join(directory, 'agent'),
    serverUrl: `https://localhost:${port}`,
    environment: 'production',
    facts: simulatedFacts(recordedNode, 1),
    log: createLogger({ level: 'error', format: 'text', hasColours: false }),
    signal: new AbortController().signal,
  });
}
