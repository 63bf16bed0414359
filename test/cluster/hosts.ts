/** The hosts of the cluster, and a way to stand on one of them. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Network } from '../e2e/support/network.ts';

const domain = 'site.test';

export interface Hosts {
  readonly primary: string;
  readonly balancer: string;
  /** Where commands are typed. */
  readonly operator: string;
  /** Where the simulated agents are. */
  readonly crowd: string;
  readonly compileServers: readonly string[];
  /** Where the real agents are. */
  readonly nodes: readonly string[];
}

export function nameHosts(compileServers: number, nodes: number): Hosts {
  const many = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index + 1}.${domain}`);
  return {
    primary: `primary.${domain}`,
    balancer: `puppet.${domain}`,
    operator: `operator.${domain}`,
    crowd: `crowd.${domain}`,
    compileServers: many('compile', compileServers),
    nodes: many('web', nodes),
  };
}

/** @param owner - the process that makes it */
export function networkOf(hosts: Hosts, owner?: number): Network {
  const { balancer, compileServers, crowd, nodes, operator, primary } = hosts;
  return new Network([primary, balancer, operator, crowd, ...nodes, ...compileServers], owner);
}

/**
 * Makes the hosts, and runs a script on the operator's to its end; the script gets the network's owner in front of its
 * arguments.
 *
 * @returns its exit code
 */
export async function runAsOperator(hosts: Hosts, script: string, args: readonly string[]): Promise<number> {
  const network = networkOf(hosts);
  network.create();
  try {
    const words = [...network.on(hosts.operator), process.execPath, script, String(process.pid), ...args];
    const [program = 'ip', ...rest] = words;
    const child = spawn(program, rest, { stdio: 'inherit' });
    const pass = (name: NodeJS.Signals) => child.kill(name);
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, pass);
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  } finally {
    network.remove();
  }
}
