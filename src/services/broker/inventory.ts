/** Which clients are connected, and who is told of it. */

import { matches, type PcpUri, parseUri } from './messages/uri.ts';

export interface InventoryChange {
  readonly client: string;
  readonly change: 1 | -1;
}

interface Subscription {
  readonly patterns: readonly PcpUri[];
  /** Of the changes that have not been sent, those from here on are news to the subscriber. */
  readonly from: number;
  readonly update: (changes: readonly InventoryChange[]) => void;
}

export class Inventory {
  private readonly clients = new Map<string, PcpUri>();
  /** By who has it: a session or a controller has one at most. */
  private readonly subscriptions = new Map<object, Subscription>();
  private changes: (InventoryChange & { readonly uri: PcpUri })[] = [];
  private flushed = 0;

  get size(): number {
    return this.clients.size;
  }

  /** A client that is there already has come again, over another connection: that is told, too. What was sent to it may be lost. */
  add(client: string): void {
    const uri = parseUri(client);
    if (uri === undefined) return;
    this.clients.set(client, uri);
    this.note({ client, change: 1, uri });
  }

  remove(client: string): void {
    const uri = this.clients.get(client);
    if (uri === undefined) return;
    this.clients.delete(client);
    this.note({ client, change: -1, uri });
  }

  /** @returns the clients that match one of the patterns, in order */
  find(patterns: readonly PcpUri[]): readonly string[] {
    const found: string[] = [];
    for (const [client, uri] of this.clients)
      if (patterns.some((pattern) => matches(pattern, uri))) found.push(client);
    return found.sort();
  }

  /** From now on; replaces the subscription that `owner` has. */
  subscribe(owner: object, patterns: readonly PcpUri[], update: Subscription['update']): void {
    this.subscriptions.set(owner, { patterns, from: this.flushed + this.changes.length, update });
  }

  unsubscribe(owner: object): void {
    this.subscriptions.delete(owner);
  }

  /** Tells subscribers what has changed since the last time. Who has no matching change hears nothing. */
  flush(): void {
    const { changes, flushed } = this;
    if (changes.length === 0) return;
    this.changes = [];
    this.flushed += changes.length;
    for (const { from, patterns, update } of this.subscriptions.values()) {
      const matching = changes
        .slice(Math.max(0, from - flushed))
        .filter(({ uri }) => patterns.some((pattern) => matches(pattern, uri)));
      if (matching.length > 0) update(matching.map(({ change, client }) => ({ client, change })));
    }
  }

  private note(change: (typeof this.changes)[number]): void {
    if (this.subscriptions.size > 0) this.changes.push(change);
  }
}
