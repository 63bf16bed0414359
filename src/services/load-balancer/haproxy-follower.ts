/** Keeps a running HAProxy in step with the compile servers. */

import { lookup } from 'node:dns/promises';
import type { Logger } from '../../platform/log/index.ts';
import { serverKeywords } from './haproxy-config.ts';
import type { HaproxySocket, RunningEntry } from './haproxy-socket.ts';

/** A compile server as the primary knows it. */
export interface FollowedServer {
  readonly certname: string;
  readonly host: string;
  readonly port: number;
  /** Where its name has no address. */
  readonly address?: string | undefined;
  /** For checks over plain HTTP, where it has one. */
  readonly healthPort?: number | undefined;
  /** It will go: nothing new is sent there. */
  readonly isLeaving: boolean;
}

export interface FollowerOptions {
  readonly socket: HaproxySocket;
  /** The port of brokers; absent where HAProxy has no `pcp-broker`. */
  readonly pcpPort?: number;
  /** The same for all, whatever they say. */
  readonly healthPort?: number;
  /** Tells servers the addresses of agents (PROXY protocol); their `trusted_proxies` must name this HAProxy. */
  readonly sendProxy?: boolean;
  /** A server that has just come has compiled little: its share of the agents grows to the full one in this time. 30 when absent. */
  readonly rampSeconds?: number;
  readonly log: Logger;
  /** Addresses of names; the system's resolver when absent. */
  readonly resolve?: (host: string) => Promise<string>;
}

const usualRampSeconds = 30;

interface Proxy {
  readonly name: string;
  readonly kind: 'agents' | 'brokers';
}

export class HaproxyFollower {
  private readonly options: FollowerOptions;

  constructor(options: FollowerOptions) {
    this.options = options;
  }

  /**
   * Adds, drains and removes servers, so that HAProxy has those in the list. Servers that don't answer stay: their
   * health checks say so, and they may only have lost the primary.
   *
   * @returns whether everything is as it should be; else it has to be called again: connections still end
   */
  async apply(servers: readonly FollowedServer[]): Promise<boolean> {
    const proxies: Proxy[] = [{ name: 'puppet', kind: 'agents' }];
    if (this.options.pcpPort !== undefined) proxies.push({ name: 'pcp-broker', kind: 'brokers' });
    const results: boolean[] = [];
    for (const proxy of proxies) results.push(await this.applyTo(proxy, servers));
    return results.every(Boolean);
  }

  private async applyTo(proxy: Proxy, servers: readonly FollowedServer[]): Promise<boolean> {
    const { log, socket } = this.options;
    const running = new Map((await socket.servers(proxy.name)).map((entry) => [entry.name, entry]));
    let isDone = true;
    for (const server of servers) {
      try {
        await this.bring(proxy, server, running.get(server.certname));
      } catch (err) {
        isDone = false;
        log.warn({ err, server: server.certname, proxy: proxy.name }, 'could not follow a compile server');
      }
    }
    const wanted = new Set(servers.map(({ certname }) => certname));
    for (const entry of running.values())
      if (!wanted.has(entry.name)) isDone = (await this.remove(proxy, entry)) && isDone;
    return isDone;
  }

  private async bring(proxy: Proxy, server: FollowedServer, entry: RunningEntry | undefined): Promise<void> {
    const { log, pcpPort = 0, socket } = this.options;
    const { certname, isLeaving } = server;
    const address = await this.addressOf(server);
    const port = proxy.kind === 'brokers' ? pcpPort : server.port;
    const path = `${proxy.name}/${certname}`;
    if (entry === undefined) {
      if (isLeaving) return;
      const keywords = serverKeywords({
        kind: proxy.kind,
        port: server.port,
        healthPort: this.options.healthPort ?? server.healthPort,
        sendProxy: this.options.sendProxy,
      });
      const { rampSeconds = usualRampSeconds } = this.options;
      const ramp = proxy.kind === 'agents' && rampSeconds > 0 ? ` slowstart ${rampSeconds}s` : '';
      await socket.command(
        `add server ${path} ${address}:${port} ${keywords}${ramp}`,
        /New server registered/,
      );
      // HAProxy considers a new server healthy until a check fails, and then closes its connections. A server that has just
      // joined may still wait for its code, so mark it down first; draining, it gets no connections until that is done.
      await socket.command(`set server ${path} state drain`);
      await socket.command(`set server ${path} health down`);
      await socket.command(`enable health ${path}`);
      await socket.command(`set server ${path} state ready`);
      log.info({ server: certname, address, port, proxy: proxy.name }, 'added a compile server');
      return;
    }
    if (entry.address !== address || entry.port !== port) {
      await socket.command(`set server ${path} addr ${address} port ${port}`, /changed|no need/i);
      log.info({ server: certname, address, port, proxy: proxy.name }, 'a compile server has moved');
    }
    if (isLeaving && !entry.isDraining && !entry.isInMaintenance) {
      await socket.command(`set server ${path} state drain`);
      log.info({ server: certname, proxy: proxy.name }, 'draining a compile server');
    }
    if (!isLeaving && (entry.isDraining || entry.isInMaintenance)) {
      await socket.command(`set server ${path} state ready`);
      log.info({ server: certname, proxy: proxy.name }, 'a compile server is back');
    }
  }

  private async addressOf({ address, host }: FollowedServer): Promise<string> {
    try {
      return await (this.options.resolve ?? addressOf)(host);
    } catch (error) {
      if (address === undefined) throw error;
      return address;
    }
  }

  /** @returns false while it still has connections, which may end by themselves: maintenance would cut them */
  private async remove({ name: proxy }: Proxy, entry: RunningEntry): Promise<boolean> {
    const { log, socket } = this.options;
    const { isDraining, isInMaintenance, name } = entry;
    const path = `${proxy}/${name}`;
    if (!isDraining && !isInMaintenance) await socket.command(`set server ${path} state drain`);
    if (((await socket.connections(proxy)).get(name) ?? 0) > 0) return false;
    try {
      if (!isInMaintenance) await socket.command(`set server ${path} state maint`);
      await socket.command(`del server ${path}`, /Server deleted/);
    } catch (err) {
      log.debug({ err, server: name, proxy }, 'could not remove a compile server yet');
      return false;
    }
    log.info({ server: name, proxy }, 'removed a compile server');
    return true;
  }
}

/** HAProxy takes no names for servers that are added while it runs. */
async function addressOf(host: string): Promise<string> {
  const { address } = await lookup(host);
  return address;
}
