/**
 * How many nodes have which version of which package: of all nodes, or of those in one environment. To count them PuppetDB reads
 * the packages of all these nodes, so the counts are kept for a while and counted again in the background.
 */

import { ServiceError } from '../../../lib/service-error.ts';
import type { ConsoleClocks } from '../console-clocks.ts';
import { among } from '../nodes/node-condition.ts';
import type { PackagePage } from '../wire.ts';
import type { FleetSource } from './fleet-source.ts';

/** Older counts are made anew when somebody asks; that one still gets the old ones. */
const freshMs = 60_000;
/** Older ones are not answered any more. */
const usableMs = 10 * 60_000;
/** Counts of so many environments are kept, besides those of all nodes together. */
const mostEnvironments = 10;

export interface PackageRequest {
  readonly search: string;
  /** The whole name of one package. */
  readonly name?: string | undefined;
  /** The environment of the last run of the nodes that are counted; all nodes when absent. */
  readonly environment?: string | undefined;
  readonly orderBy: 'name' | 'nodes';
  readonly limit: number;
  /** What the page before gave as `next`. */
  readonly after: string | undefined;
}

type PackageRow = PackagePage['rows'][number];

interface Counts {
  /** By name, version and provider. */
  readonly byName: readonly PackageRow[];
  readonly byNodes: readonly PackageRow[];
  /** When they were counted, for people. */
  readonly asOfMs: number;
  /** The same on a clock that is never set. */
  readonly countedMs: number;
}

type Source = Pick<FleetSource, 'rows'>;

export class PackageCounts {
  private readonly source: Source;
  private readonly clocks: ConsoleClocks;
  private readonly closing = new AbortController();
  /** By environment, the one that was asked for last at the end; of all nodes under undefined. */
  private readonly kept = new Map<string | undefined, KeptCounts>();

  constructor(source: Source, clocks: ConsoleClocks) {
    this.source = source;
    this.clocks = clocks;
  }

  /** @throws ServiceError `bad-request` for an `after` that is not from here */
  async find(request: PackageRequest): Promise<PackagePage> {
    const { after, environment, limit, name: wantedName, orderBy, search } = request;
    const last = after === undefined ? undefined : readPlace(after);
    const { asOfMs, byName, byNodes } = await this.countsOf(environment).current();
    const wanted = search.toLowerCase();
    const sorted = orderBy === 'name' ? byName : byNodes;
    const found = sorted.filter(
      ({ name }) => name.toLowerCase().includes(wanted) && (wantedName === undefined || name === wantedName),
    );
    const order = orders[orderBy];
    const later = last === undefined ? found : found.filter((row) => order(row, last) > 0);
    const rows = later.slice(0, limit);
    const end = rows.at(-1);
    return {
      rows,
      next: later.length > limit && end !== undefined ? renderPlace(end) : null,
      total: found.length,
      is_collected: byName.length > 0,
      as_of: new Date(asOfMs).toISOString(),
    };
  }

  close(): void {
    for (const counts of this.kept.values()) counts.forget();
    this.closing.abort();
  }

  private countsOf(environment: string | undefined): KeptCounts {
    const counts =
      this.kept.get(environment) ??
      new KeptCounts(this.source, this.clocks, environment, this.closing.signal);
    this.kept.delete(environment);
    this.kept.set(environment, counts);
    for (const [oldest, old] of this.kept) {
      if (this.kept.size <= mostEnvironments + 1) break;
      if (oldest === undefined) continue;
      this.kept.delete(oldest);
      old.forget();
    }
    return counts;
  }
}

/** The counts of one environment, or of all nodes. */
class KeptCounts {
  private readonly source: Source;
  private readonly clocks: ConsoleClocks;
  private readonly query: readonly unknown[];
  private readonly closing: AbortSignal;
  private counting: Promise<Counts> | undefined;
  private counts: Counts | undefined;
  private forgetting: NodeJS.Timeout | undefined;

  constructor(source: Source, clocks: ConsoleClocks, environment: string | undefined, closing: AbortSignal) {
    this.source = source;
    this.clocks = clocks;
    this.query = countsQuery(environment);
    this.closing = closing;
  }

  async current(): Promise<Counts> {
    if (this.counts === undefined) return await this.count();
    const ageMs = this.clocks.steadyMs() - this.counts.countedMs;
    if (ageMs > usableMs) return await this.count();
    if (ageMs > freshMs)
      this.count().catch(() => {
        // PuppetDB is away: the old counts stay, with their age.
      });
    return this.counts;
  }

  forget(): void {
    clearTimeout(this.forgetting);
    this.counts = undefined;
  }

  private count(): Promise<Counts> {
    this.counting ??= this.read().finally(() => {
      this.counting = undefined;
    });
    return this.counting;
  }

  private async read(): Promise<Counts> {
    const [asOfMs, countedMs] = [this.clocks.nowMs(), this.clocks.steadyMs()];
    const rows = await this.source.rows(this.query, this.closing);
    const packages = rows.map((row) => ({
      name: String(row['package_name']),
      version: String(row['version']),
      provider: String(row['provider']),
      nodes: Number(row['count']),
    }));
    const counts = {
      byName: packages.toSorted(orders.name),
      byNodes: packages.toSorted(orders.nodes),
      asOfMs,
      countedMs,
    };
    this.counts = counts;
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => this.forget(), usableMs).unref();
    return counts;
  }
}

const columns = ['package_name', 'version', 'provider'];

function countsQuery(environment: string | undefined): readonly unknown[] {
  const ofEnvironment =
    environment === undefined ? [] : [among('nodes', ['=', 'report_environment', environment])];
  return [
    'from',
    'package_inventory',
    ['extract', [['function', 'count'], ...columns], ...ofEnvironment, ['group_by', ...columns]],
  ];
}

const orders: Readonly<Record<PackageRequest['orderBy'], (a: PackageRow, b: PackageRow) => number>> = {
  name: byName,
  nodes: (a, b) => b.nodes - a.nodes || byName(a, b),
};

function byName(a: PackageRow, b: PackageRow): number {
  return (
    compare(a.name.toLowerCase(), b.name.toLowerCase()) ||
    compare(a.name, b.name) ||
    compare(a.version, b.version) ||
    compare(a.provider, b.provider)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function renderPlace({ name, nodes, provider, version }: PackageRow): string {
  return Buffer.from(JSON.stringify([name, version, provider, nodes])).toString('base64url');
}

function readPlace(text: string): PackageRow {
  try {
    const [name, version, provider, nodes] = JSON.parse(
      Buffer.from(text, 'base64url').toString('utf8'),
    ) as readonly unknown[];
    if (typeof nodes === 'number')
      return { name: String(name), version: String(version), provider: String(provider), nodes };
  } catch {
    // Said below.
  }
  throw new ServiceError('bad-request', 'after has to be the value of next in an answer before', {
    kind: 'bunraku.console/bad-page',
  });
}
