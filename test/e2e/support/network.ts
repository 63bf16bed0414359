/**
 * Hosts of their own on this machine: network namespaces on a bridge, with names as DNS would have them. The bridge has a namespace of
 * its own, too: the machine's network does not change, which ends requests of browsers (ERR_NETWORK_CHANGED).
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Private, and unlikely to be anybody's. */
const subnet = '10.143.77';

export class Network {
  private readonly hosts: readonly string[];
  private readonly prefix: string;

  /**
   * @param hosts - full names
   * @param owner - the process that has made it, or makes it
   */
  constructor(hosts: readonly string[], owner = process.pid) {
    this.hosts = hosts;
    this.prefix = `bk${owner}`;
  }

  /** Why there can be no namespaces here; empty when there can. */
  static obstacle(): string {
    const name = `bk${process.pid}-probe`;
    try {
      ip(['netns', 'add', name]);
      ip(['-n', name, 'link', 'add', 'bridge', 'type', 'bridge']);
      ip(['-n', name, 'link', 'add', 'one', 'type', 'veth', 'peer', 'name', 'other']);
      return '';
    } catch (error) {
      return `network namespaces are not allowed here (${(error as Error).message})`;
    } finally {
      spawnSync('ip', ['netns', 'del', name]);
    }
  }

  create(): void {
    ip(['netns', 'add', this.bridge]);
    ip(['-n', this.bridge, 'link', 'add', 'bridge', 'type', 'bridge']);
    ip(['-n', this.bridge, 'link', 'set', 'bridge', 'up']);
    const names = this.hosts.map((host, index) => `${subnet}.${index + 1} ${host}\n`).join('');
    for (const [index, host] of this.hosts.entries()) {
      const namespace = this.namespaceOf(host);
      const link = `host${index}`;
      mkdirSync(join('/etc/netns', namespace), { recursive: true });
      writeFileSync(join('/etc/netns', namespace, 'hosts'), `127.0.0.1 localhost\n${names}`);
      ip(['netns', 'add', namespace]);
      const ends = [link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace];
      ip(['-n', this.bridge, 'link', 'add', ...ends]);
      ip(['-n', this.bridge, 'link', 'set', link, 'master', 'bridge', 'up']);
      ip(['-n', namespace, 'link', 'set', 'lo', 'up']);
      ip(['-n', namespace, 'address', 'add', `${subnet}.${index + 1}/24`, 'dev', 'eth0']);
      ip(['-n', namespace, 'link', 'set', 'eth0', 'up']);
    }
  }

  /** Lets a host ask a DNS server, besides knowing the other hosts. */
  useNameServer(host: string, address: string): void {
    writeFileSync(join('/etc/netns', this.namespaceOf(host), 'resolv.conf'), `nameserver ${address}\n`);
  }

  remove(): void {
    for (const host of this.hosts) {
      spawnSync('ip', ['netns', 'del', this.namespaceOf(host)]);
      rmSync(join('/etc/netns', this.namespaceOf(host)), { recursive: true, force: true });
    }
    spawnSync('ip', ['netns', 'del', this.bridge]);
  }

  addressOf(host: string): string {
    return `${subnet}.${this.hosts.indexOf(host) + 1}`;
  }

  /** Lets nothing pass from one host to another, until it is let again; everybody else reaches both. */
  cut(host: string, other: string): void {
    ip(['-n', this.namespaceOf(host), 'route', 'add', 'blackhole', this.addressOf(other)]);
  }

  mend(host: string, other: string): void {
    ip(['-n', this.namespaceOf(host), 'route', 'del', 'blackhole', this.addressOf(other)]);
  }

  /** What runs a command on a host. */
  on(host: string): readonly string[] {
    return ['ip', 'netns', 'exec', this.namespaceOf(host)];
  }

  /** The namespace of the bridge. No host's first name has a dot. */
  private get bridge(): string {
    return `${this.prefix}.bridge`;
  }

  private namespaceOf(host: string): string {
    return `${this.prefix}-${host.split('.')[0]}`;
  }
}

function ip(args: readonly string[]): void {
  const { error, status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.trim()}`);
}
