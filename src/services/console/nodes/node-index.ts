/**
 * An index of all nodes in memory, narrow: how the last run of each went, and when. It is read from PuppetDB when somebody first
 * asks for it, follows what is stored, and is let go after a while without requests.
 */

import type { ConsoleClocks } from '../console-clocks.ts';
import type { NodeEntry } from './node-entry.ts';
import type { NodeSource } from './node-source.ts';
import { RunCounts, type RunQuarter } from './run-counts.ts';
import { byCertname, entriesOf, replaced } from './sorted-nodes.ts';
import { type Counts, StatusCounts } from './status-counts.ts';

/** How many nodes are read at once: a thousand are parsed in 2 ms. */
const chunkSize = 1000;
/** Changes are gathered for so long. */
const followMs = 500;
/** Nodes that ended, and changes in a PuppetDB elsewhere, are found after so long. */
const refreshMs = 5 * 60_000;
const unusedMs = 15 * 60_000;

interface Loaded {
  /** By certname; never changed in place, since answers may hold it. */
  entries: readonly NodeEntry[];
  /** When the entries were as they are, in milliseconds since 1970. */
  asOfMs: number;
}

/** What the index knew at one time. */
export interface NodeSnapshot {
  /** By certname. */
  readonly entries: readonly NodeEntry[];
  readonly asOfMs: number;
}

export class NodeIndex {
  private readonly source: NodeSource;
  private readonly clocks: ConsoleClocks;
  private readonly changed = new Set<string>();
  private readonly closing = new AbortController();
  private readonly endFollowing: () => void;
  private readonly statusCounts = new StatusCounts();
  private readonly runCounts: RunCounts;
  private readonly listeners = new Set<(names: readonly string[]) => void>();
  private loading: Promise<Loaded> | undefined;
  private loaded: Loaded | undefined;
  private following: NodeJS.Timeout | undefined;
  private lastUseMs = 0;
  private lastRefreshMs = 0;

  constructor(source: NodeSource, clocks: ConsoleClocks) {
    this.source = source;
    this.clocks = clocks;
    this.runCounts = new RunCounts(source, clocks);
    this.endFollowing = source.onStored((certname) => this.note(certname));
  }

  /** All nodes as they are known now. The first call reads them. */
  async snapshot(): Promise<NodeSnapshot> {
    this.lastUseMs = this.clocks.steadyMs();
    this.loading ??= this.load();
    const { asOfMs, entries } = await this.loading;
    return { entries, asOfMs: this.changed.size > 0 ? asOfMs : this.clocks.nowMs() };
  }

  /** As `StatusCounts.of`. */
  countsOf({ entries }: NodeSnapshot, environment: string | undefined, cutoffMs: number): Counts {
    return this.statusCounts.of(entries, environment, cutoffMs);
  }

  /** As `RunCounts.of`. */
  async runs(environment: string | undefined): Promise<readonly RunQuarter[]> {
    // Runs are followed together with nodes.
    await this.snapshot();
    return await this.runCounts.of(environment);
  }

  /** Calls back with the nodes that are not any more as they were; with none after everything was read again. */
  onChange(listener: (names: readonly string[]) => void): void {
    this.listeners.add(listener);
  }

  close(): void {
    this.endFollowing();
    clearTimeout(this.following);
    this.closing.abort();
  }

  private note(certname: string): void {
    // Before it is read nothing has to be followed; while it is read, changes come on top.
    if (this.loading !== undefined) this.changed.add(certname);
  }

  private async load(): Promise<Loaded> {
    const startedMs = this.clocks.nowMs();
    const begunMs = this.clocks.steadyMs();
    try {
      const entries = await this.read(await this.source.names(this.closing.signal));
      this.loaded = { entries: entries.toSorted(byCertname), asOfMs: startedMs };
      this.lastRefreshMs = begunMs;
      this.followLater();
      return this.loaded;
    } catch (error) {
      // The next request tries again.
      this.loading = undefined;
      throw error;
    }
  }

  private followLater(): void {
    this.following = setTimeout(() => void this.follow(), followMs).unref();
  }

  /** One round: what has changed, or everything once in a while, or the end for want of use. */
  private async follow(): Promise<void> {
    const { loaded } = this;
    if (loaded === undefined || this.closing.signal.aborted) return;
    if (this.clocks.steadyMs() - this.lastUseMs > unusedMs) {
      this.loaded = undefined;
      this.loading = undefined;
      this.changed.clear();
      this.runCounts.forget();
      return;
    }
    try {
      if (this.clocks.steadyMs() - this.lastRefreshMs > refreshMs) await this.refresh(loaded);
      else await this.catchUp(loaded);
    } catch {
      // PuppetDB is away: what is known stays, with its age, and is asked for again.
    }
    if (!this.closing.signal.aborted) this.followLater();
  }

  private async catchUp(loaded: Loaded): Promise<void> {
    const startedMs = this.clocks.nowMs();
    const names = [...this.changed];
    this.changed.clear();
    try {
      const fresh = await this.read(names);
      const before = loaded.entries;
      loaded.entries = replaced(before, names, fresh);
      const old = entriesOf(before, names);
      this.statusCounts.exchange(before, loaded.entries, { old, fresh });
      this.runCounts.exchange(old, fresh);
      loaded.asOfMs = startedMs;
      if (names.length > 0) this.tell(names);
    } catch (error) {
      for (const name of names) this.changed.add(name);
      throw error;
    }
  }

  private async refresh(loaded: Loaded): Promise<void> {
    const startedMs = this.clocks.nowMs();
    const begunMs = this.clocks.steadyMs();
    this.changed.clear();
    const entries = await this.read(await this.source.names(this.closing.signal));
    loaded.entries = entries.toSorted(byCertname);
    loaded.asOfMs = startedMs;
    this.lastRefreshMs = begunMs;
    this.runCounts.recountLast();
    this.tell([]);
  }

  private tell(names: readonly string[]): void {
    for (const listener of this.listeners) listener(names);
  }

  private async read(names: readonly string[]): Promise<readonly NodeEntry[]> {
    const entries: NodeEntry[] = [];
    for (let from = 0; from < names.length; from += chunkSize)
      entries.push(...(await this.source.read(names.slice(from, from + chunkSize), this.closing.signal)));
    return entries;
  }
}
