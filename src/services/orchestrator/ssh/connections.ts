/** The nodes that are reached by SSH. */

import { type Actor, requirePermission } from '../actor.ts';
import { connectionChange } from '../recorded-changes.ts';
import type { ConnectionStore, SshConnection, SshParameters, SshSecrets } from './connection.ts';
import { inventoryError } from './inventory-error.ts';

export interface ConnectionsOptions {
  readonly store: ConnectionStore;
  readonly nowMs: () => number;
  /** A new UUID. */
  readonly newId: () => string;
}

export interface NewConnection {
  readonly certnames: readonly string[];
  readonly parameters: SshParameters;
  readonly secrets: SshSecrets;
  /** Whether entries of the same nodes are replaced. */
  readonly replaces: boolean;
}

const editing = { objectType: 'inventory', action: 'edit' } as const;

export class Connections {
  private readonly options: ConnectionsOptions;
  /** Asked with each look at a node, and so kept here. */
  private known = new Map<string, SshConnection>();
  private readonly watchers = new Set<(certname: string, isThere: boolean) => void>();

  constructor(options: ConnectionsOptions) {
    this.options = options;
  }

  async load(): Promise<void> {
    const all = await this.options.store.all();
    this.known = new Map(all.map((each) => [each.certname, each]));
  }

  find(certname: string): SshConnection | undefined {
    return this.known.get(certname);
  }

  all(): readonly SshConnection[] {
    return [...this.known.values()];
  }

  /** Certnames by the groups of their connections, both in the order of their names. */
  groups(): ReadonlyMap<string, readonly string[]> {
    const pairs = this.all().flatMap(({ certname, parameters }) =>
      (parameters.groups ?? []).map((group) => ({ group, certname })),
    );
    const groups = Map.groupBy(pairs, ({ group }) => group);
    const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return new Map(
      sorted.map(([group, all]) => [group, all.map(({ certname }) => certname).sort()] as const),
    );
  }

  async secretsOf(certname: string): Promise<SshSecrets | undefined> {
    return await this.options.store.secretsOf(certname);
  }

  /** @returns the number of the entry @throws ServiceError `not-permitted`, `duplicate-certnames` */
  async add({ certnames, parameters, replaces, secrets }: NewConnection, actor: Actor): Promise<string> {
    requirePermission(actor, editing, 'add connections to nodes');
    const duplicates = certnames.filter((name) => this.known.has(name));
    if (!replaces && duplicates.length > 0)
      throw inventoryError(
        'duplicate-certnames',
        `There are connections to ${duplicates.join(', ')} already`,
      );
    const { newId, nowMs, store } = this.options;
    const id = newId();
    const connections = certnames.map((certname) => ({ id, certname, parameters }));
    const change = connectionChange('create', certnames, actor.author, new Date(nowMs()));
    await store.add(connections, secrets, change);
    for (const each of connections) {
      this.known.set(each.certname, each);
      this.tell(each.certname, true);
    }
    return id;
  }

  /** @throws ServiceError `not-permitted` */
  async remove(certnames: readonly string[], actor: Actor): Promise<void> {
    requirePermission(actor, editing, 'delete connections to nodes');
    const there = certnames.filter((name) => this.known.has(name));
    const change = connectionChange('delete', there, actor.author, new Date(this.options.nowMs()));
    if (there.length > 0) await this.options.store.remove(there, change);
    for (const name of there) {
      this.known.delete(name);
      this.tell(name, false);
    }
  }

  /** @returns ends the watching */
  watch(watcher: (certname: string, isThere: boolean) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private tell(certname: string, isThere: boolean): void {
    for (const watcher of this.watchers) watcher(certname, isThere);
  }
}
