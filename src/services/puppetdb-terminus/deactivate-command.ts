/** Nodes that left. */

import type { PuppetDbCommand } from './command.ts';

/** @see puppet-terminus-puppetdb, Puppet::Node::Puppetdb#destroy */
export function deactivateCommand(certname: string, now: Date): PuppetDbCommand {
  const producerTimestamp = now.toISOString();
  const payload = JSON.stringify({ certname, producer_timestamp: producerTimestamp });
  return { command: 'deactivate_node', version: 3, certname, producerTimestamp, payload };
}
