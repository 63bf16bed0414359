/** How many connections are kept, of one client and of all. */

import type { Socket } from 'node:net';
import { clientKey } from './client-key.ts';
import type { Identity } from './route.ts';

export interface ConnectionLimitsOptions {
  /** Of a client with a certificate or a token. */
  readonly maxPerIdentity: number;
  /** Of all clients at one address that have neither. A balancer or a router may stand there with many behind it. */
  readonly maxPerAddress: number;
  readonly maxTotal: number;
}

/** Each holds about 65 kB while it is idle, and a descriptor. */
const defaultOptions: ConnectionLimitsOptions = { maxPerIdentity: 500, maxPerAddress: 1000, maxTotal: 5000 };

interface Client {
  readonly connections: Set<Socket>;
  /** Those without a request, in the order in which they became idle. */
  readonly idle: Set<Socket>;
  /** Infinite for proxies, which bring everybody. */
  readonly max: number;
}

/**
 * Closes what has been idle longest to make room for what is new, and refuses new connections only where all others of the
 * client are at work.
 */
export class ConnectionLimits {
  private readonly options: ConnectionLimitsOptions;
  private readonly clients = new Map<string, Client>();
  private readonly clientOf = new Map<Socket, Client & { readonly key: string }>();

  constructor(options: Partial<ConnectionLimitsOptions> = {}) {
    this.options = { ...defaultOptions, ...options };
  }

  get count(): number {
    return this.clientOf.size;
  }

  /**
   * Counts a connection until it is closed; it may be closed at once.
   *
   * @param identity - whose it is; `proxy` for a trusted proxy, which no limit of its own applies to
   */
  add(socket: Socket, identity: Identity | 'proxy'): void {
    const key = identity === 'proxy' ? identity : clientKey(identity);
    this.join(socket, key, this.maxOf(identity));
    socket.once('close', () => this.remove(socket));
    this.makeRoom(socket);
  }

  /** A connection turns out to be somebody else's: a user showed a token. */
  rename(socket: Socket, identity: Identity): void {
    const known = this.clientOf.get(socket);
    const key = clientKey(identity);
    if (known === undefined || known.key === key || known.key === 'proxy') return;
    const isIdle = known.idle.has(socket);
    this.remove(socket);
    this.join(socket, key, this.maxOf(identity));
    if (!isIdle) this.begin(socket);
    this.makeRoom(socket);
  }

  /** A request has come. */
  begin(socket: Socket): void {
    this.clientOf.get(socket)?.idle.delete(socket);
  }

  /** The request has been answered. */
  end(socket: Socket): void {
    if (!socket.destroyed) this.clientOf.get(socket)?.idle.add(socket);
  }

  /** Counts it no more: it is closed, or has been given away for another protocol. */
  remove(socket: Socket): void {
    const client = this.clientOf.get(socket);
    if (client === undefined) return;
    this.clientOf.delete(socket);
    client.idle.delete(socket);
    client.connections.delete(socket);
    if (client.connections.size === 0) this.clients.delete(client.key);
  }

  private maxOf(identity: Identity | 'proxy'): number {
    if (identity === 'proxy') return Number.POSITIVE_INFINITY;
    return identity.kind === 'anonymous' ? this.options.maxPerAddress : this.options.maxPerIdentity;
  }

  private join(socket: Socket, key: string, max: number): void {
    const client = this.clients.get(key) ?? { connections: new Set(), idle: new Set(), max };
    this.clients.set(key, client);
    client.connections.add(socket);
    client.idle.add(socket);
    this.clientOf.set(socket, { ...client, key });
  }

  private makeRoom(socket: Socket): void {
    const own = this.clientOf.get(socket);
    if (own === undefined) return;
    if (own.connections.size > own.max) this.close(longestIdle(own, socket) ?? socket);
    if (this.count > this.options.maxTotal) this.close(this.longestIdleOfLargest(socket) ?? socket);
  }

  private longestIdleOfLargest(except: Socket): Socket | undefined {
    let largest: Client | undefined;
    for (const client of this.clients.values()) {
      if (client.max === Number.POSITIVE_INFINITY || longestIdle(client, except) === undefined) continue;
      if (client.connections.size > (largest?.connections.size ?? 0)) largest = client;
    }
    return largest === undefined ? undefined : longestIdle(largest, except);
  }

  private close(socket: Socket): void {
    this.remove(socket);
    socket.destroy();
  }
}

function longestIdle({ idle }: Client, except: Socket): Socket | undefined {
  for (const socket of idle) if (socket !== except) return socket;
  return undefined;
}
