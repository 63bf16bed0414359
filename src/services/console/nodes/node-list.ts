/** Lists of nodes: searched, sorted and cut into pages here, so that a browser never holds them all. */

import type { ConsoleClocks } from '../console-clocks.ts';
import type { NodeStatus } from '../wire.ts';
import { type Condition, pqlOf } from './node-condition.ts';
import { type NodeEntry, statusOf } from './node-entry.ts';
import { NodeIndex } from './node-index.ts';
import type { NodeSource } from './node-source.ts';
import { type NodeOrder, pageOf, readPlace } from './page-of-nodes.ts';
import type { RunQuarter } from './run-counts.ts';
import { readSearch, type SearchTerm } from './search-text.ts';
import { type Counts, countStatuses } from './status-counts.ts';

export interface NodeListRequest {
  readonly search: string;
  readonly orderBy: NodeOrder;
  readonly limit: number;
  /** What the page before gave as `next`. */
  readonly after: string | undefined;
  /** Facts of each node, by path. */
  readonly factPaths: readonly string[];
}

export interface NodeRow {
  readonly entry: NodeEntry;
  readonly status: NodeStatus;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface NodeList {
  readonly rows: readonly NodeRow[];
  /** Of all pages. */
  readonly total: number;
  /** How many of them have which status. */
  readonly counts: Counts;
  readonly next: string | undefined;
  readonly asOfMs: number;
  /** The search as PuppetDB understands it. */
  readonly pql: string;
}

export interface MatchingNodes {
  readonly entries: readonly NodeEntry[];
  readonly asOfMs: number;
  /** A node whose last report is older is unresponsive. */
  readonly cutoffMs: number;
  /** `undefined` for a search that says nothing. */
  readonly condition: Condition | undefined;
}

export class NodeLists {
  private readonly index: NodeIndex;
  private readonly source: NodeSource;
  private readonly nowMs: () => number;
  private readonly unresponsiveAfterMs: number;

  constructor(source: NodeSource, options: ConsoleClocks & { readonly unresponsiveAfterMs: number }) {
    this.index = new NodeIndex(source, options);
    this.source = source;
    this.nowMs = options.nowMs;
    this.unresponsiveAfterMs = options.unresponsiveAfterMs;
  }

  /** @throws ServiceError `bad-request` naming a term, or for an `after` that is not from here */
  async find(request: NodeListRequest, signal: AbortSignal): Promise<NodeList> {
    const { limit, orderBy, search } = request;
    const after = request.after === undefined ? undefined : readPlace(request.after);
    const { asOfMs, condition, cutoffMs, entries: found } = await this.match(search, signal);
    const page = pageOf(found, { orderBy, limit, after, cutoffMs });
    const counts =
      condition === undefined
        ? this.index.countsOf({ entries: found, asOfMs }, undefined, cutoffMs)
        : countStatuses(found, cutoffMs);
    const facts = await this.factsOf(page.entries, request.factPaths, signal);
    return {
      rows: page.entries.map((entry) => ({
        entry,
        status: statusOf(entry, cutoffMs),
        facts: facts[entry.certname] ?? {},
      })),
      total: found.length,
      counts,
      next: page.next,
      asOfMs,
      pql: pqlOf(condition),
    };
  }

  /**
   * All nodes that a search finds, with the search as PuppetDB understands it.
   *
   * @throws ServiceError `bad-request` naming a term
   */
  async match(search: string, signal: AbortSignal): Promise<MatchingNodes> {
    const cutoffMs = this.cutoffMs();
    const terms = readSearch(search, cutoffMs);
    const [{ asOfMs, entries }, isAmong] = await Promise.all([
      this.index.snapshot(),
      this.askPuppetDb(terms, signal),
    ]);
    let found = entries;
    for (const { matches } of terms) if (matches !== undefined) found = found.filter(matches);
    for (const names of isAmong) found = found.filter(({ certname }) => names.has(certname));
    return {
      entries: found,
      asOfMs,
      cutoffMs,
      condition: conditionOf(terms),
    };
  }

  /** How many nodes of an environment, or of all, have which status. */
  async counts(
    environment: string | undefined,
  ): Promise<{ readonly counts: Counts; readonly asOfMs: number }> {
    const snapshot = await this.index.snapshot();
    const counts = this.index.countsOf(snapshot, environment, this.cutoffMs());
    return { counts, asOfMs: snapshot.asOfMs };
  }

  /** The runs of the last hours, as `RunCounts.of`. */
  async runs(environment: string | undefined): Promise<readonly RunQuarter[]> {
    return await this.index.runs(environment);
  }

  /** As `NodeIndex.onChange`. */
  onChange(listener: (names: readonly string[]) => void): void {
    this.index.onChange(listener);
  }

  close(): void {
    this.index.close();
  }

  private cutoffMs(): number {
    return this.nowMs() - this.unresponsiveAfterMs;
  }

  private askPuppetDb(
    terms: readonly SearchTerm[],
    signal: AbortSignal,
  ): Promise<readonly ReadonlySet<string>[]> {
    const asked = terms.filter(({ matches }) => matches === undefined);
    return Promise.all(
      asked.map(async ({ condition }) => new Set(await this.source.find(condition, signal))),
    );
  }

  private async factsOf(entries: readonly NodeEntry[], paths: readonly string[], signal: AbortSignal) {
    if (paths.length === 0 || entries.length === 0) return {};
    return await this.source.facts(
      entries.map(({ certname }) => certname),
      paths,
      signal,
    );
  }
}

function conditionOf(terms: readonly SearchTerm[]): Condition | undefined {
  const [first, ...others] = terms.map(({ condition }) => condition);
  return first === undefined || others.length === 0 ? first : ['and', first, ...others];
}
