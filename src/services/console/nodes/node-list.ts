/** Lists of nodes: searched, sorted and cut into pages here, so that a browser never holds them all. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { ConsoleClocks } from '../console-clocks.ts';
import { type NodeStatus, nodeStatuses } from '../wire.ts';
import { type Condition, pqlOf } from './node-condition.ts';
import { type NodeEntry, statusOf } from './node-entry.ts';
import { NodeIndex } from './node-index.ts';
import type { NodeSource } from './node-source.ts';
import { readSearch, type SearchTerm } from './search-text.ts';

export type SortField = 'certname' | 'environment' | 'report_time' | 'status';

export interface NodeListRequest {
  readonly search: string;
  readonly orderBy: { readonly field: SortField; readonly isDescending: boolean };
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
  readonly counts: Readonly<Record<NodeStatus, number>>;
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

/** A place in a list: what it is sorted by, then the name that tells equals apart. */
type Key = readonly [value: string | number, certname: string];

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
    const after = request.after === undefined ? undefined : readKey(request.after);
    const { asOfMs, condition, cutoffMs, entries: found } = await this.match(request.search, signal);
    const page = cut(found, request, after, cutoffMs);
    const facts = await this.factsOf(page.entries, request.factPaths, signal);
    return {
      rows: page.entries.map((entry) => ({
        entry,
        status: statusOf(entry, cutoffMs),
        facts: facts[entry.certname] ?? {},
      })),
      total: found.length,
      counts: countsOf(found, cutoffMs),
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
    const tests = terms.flatMap(({ matches }) => (matches === undefined ? [] : [matches]));
    const found = entries.filter(
      (entry) => tests.every((test) => test(entry)) && isAmong.every((names) => names.has(entry.certname)),
    );
    return { entries: found, asOfMs, cutoffMs, condition: conditionOf(terms) };
  }

  /** How many nodes of an environment, or of all, have which status. */
  async counts(
    environment: string | undefined,
  ): Promise<{ readonly counts: Readonly<Record<NodeStatus, number>>; readonly asOfMs: number }> {
    const { asOfMs, entries } = await this.index.snapshot();
    const wanted =
      environment === undefined ? entries : entries.filter((entry) => entry.environment === environment);
    return { counts: countsOf(wanted, this.cutoffMs()), asOfMs };
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

function countsOf(entries: readonly NodeEntry[], cutoffMs: number): Readonly<Record<NodeStatus, number>> {
  const counts = Object.fromEntries(nodeStatuses.map((status) => [status, 0])) as Record<NodeStatus, number>;
  for (const entry of entries) counts[statusOf(entry, cutoffMs)] += 1;
  return counts;
}

/** @param entries - by certname */
function cut(
  entries: readonly NodeEntry[],
  { limit, orderBy }: NodeListRequest,
  after: Key | undefined,
  cutoffMs: number,
): { readonly entries: readonly NodeEntry[]; readonly next: string | undefined } {
  const valueOf = valueReader(orderBy.field, cutoffMs);
  const direction = orderBy.isDescending ? -1 : 1;
  const keyed = entries.map((entry) => ({ entry, key: [valueOf(entry), entry.certname] as const }));
  const later = after === undefined ? keyed : keyed.filter(({ key }) => compare(key, after) * direction > 0);
  if (orderBy.field !== 'certname') later.sort((a, b) => compare(a.key, b.key) * direction);
  else if (orderBy.isDescending) later.reverse();
  const page = later.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ entry }) => entry),
    next: later.length > limit && last !== undefined ? renderKey(last.key) : undefined,
  };
}

/** Nodes without a report are the oldest. */
function valueReader(field: SortField, cutoffMs: number): (entry: NodeEntry) => string | number {
  switch (field) {
    case 'certname':
      return () => 0;
    case 'environment':
      return ({ environment }) => environment ?? '';
    case 'report_time':
      return ({ reportTimeMs }) => reportTimeMs ?? 0;
    case 'status':
      return (entry) => nodeStatuses.indexOf(statusOf(entry, cutoffMs));
    default:
      return field satisfies never;
  }
}

function compare([a, aName]: Key, [b, bName]: Key): number {
  if (a !== b) return a < b ? -1 : 1;
  if (aName === bName) return 0;
  return aName < bName ? -1 : 1;
}

function renderKey(key: Key): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function readKey(text: string): Key {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (isKey(key)) return key;
  } catch {
    // Said below.
  }
  throw new ServiceError('bad-request', 'after has to be the value of next in an answer before', {
    kind: 'bunraku.console/bad-page',
  });
}

function isKey(value: unknown): value is Key {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, name] = value as readonly unknown[];
  return (typeof first === 'string' || typeof first === 'number') && typeof name === 'string';
}
