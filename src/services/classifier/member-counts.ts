/**
 * How many nodes match each group, by what PuppetDB knows of them. They are counted in one pass over all nodes, which all who ask
 * meanwhile share. Counts are given again until a group changes, or they are old for what they cost.
 */

import { SingleFlight } from '../../lib/single-flight.ts';
import { factsOf, someByName } from './all-nodes.ts';
import type { Hierarchy } from './hierarchy.ts';
import type { KnownNodes } from './known-nodes.ts';

export interface Counted {
  /** When the counting began. */
  readonly asOf: Date;
  /** How many nodes were looked at: those that have sent facts. */
  readonly total: number;
  /** By the id of the group; groups without a node are absent. */
  readonly groups: ReadonlyMap<string, number>;
}

export interface CountClocks {
  readonly now: () => Date;
  /** Never set, in milliseconds. */
  readonly steadyMs: () => number;
}

/** The shortest time between two requests for counts. */
const freshMs = 5000;
/** Counts are kept for this multiple of their duration: counting uses at most a twentieth of a processor. */
const longerThanTaken = 20;

interface Kept {
  readonly hierarchy: Hierarchy;
  readonly flight: SingleFlight<Counted>;
  /** Absent while it runs. */
  untilMs?: number;
}

export class MemberCounts {
  private readonly nodes: KnownNodes;
  private readonly clocks: CountClocks;
  private kept: Kept | undefined;

  constructor(nodes: KnownNodes, clocks: CountClocks) {
    this.nodes = nodes;
    this.clocks = clocks;
  }

  /** @throws ServiceError `compile-failed` when a rule takes too long */
  async find(hierarchy: Hierarchy, signal: AbortSignal): Promise<Counted> {
    const { kept } = this;
    if (kept !== undefined && this.isUsable(kept, hierarchy)) return await kept.flight.join(signal);
    const startMs = this.clocks.steadyMs();
    const next: Kept = { hierarchy, flight: new SingleFlight((all) => this.count(hierarchy, all)) };
    this.kept = next;
    try {
      const counted = await next.flight.join(signal);
      const endMs = this.clocks.steadyMs();
      next.untilMs ??= endMs + Math.max(freshMs, longerThanTaken * (endMs - startMs));
      return counted;
    } catch (error) {
      // A failure is not cached.
      if (this.kept === next) this.kept = undefined;
      throw error;
    }
  }

  private isUsable({ flight, hierarchy: counted, untilMs }: Kept, hierarchy: Hierarchy): boolean {
    if (flight.isAbandoned || counted !== hierarchy) return false;
    return untilMs === undefined || this.clocks.steadyMs() < untilMs;
  }

  private async count(hierarchy: Hierarchy, signal: AbortSignal): Promise<Counted> {
    const asOf = this.clocks.now();
    const names = await this.nodes.names(signal);
    const groups = new Map<string, number>();
    for await (const some of someByName(names, factsOf(hierarchy.all()), this.nodes, signal))
      for (const matching of hierarchy.matchingEach(some))
        for (const { id } of matching) groups.set(id, (groups.get(id) ?? 0) + 1);
    return { asOf, total: names.length, groups };
  }
}
