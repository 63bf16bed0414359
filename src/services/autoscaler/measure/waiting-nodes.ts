/** Nodes that were told to retry later, and have not been served since. */

interface Waiting {
  /** When its request arrived for the first time. */
  readonly sinceMs: number;
  readonly workerSeconds: number;
  /** Afterwards the node is not expected any more: it gave up. */
  expiresMs: number;
}

/** A request that was told to retry later. */
export interface PutOff {
  readonly sinceMs: number;
  readonly workerSeconds: number;
  readonly retryAtMs: number;
}

/** Clients sleep whole seconds, and may find the next server full as well. */
const graceMs = 60_000;
const lookPauseMs = 30_000;

export class WaitingNodes {
  private readonly nodes = new Map<string, Waiting>();
  private sum = 0;
  private nextLookMs = 0;

  /** A node that waits already waits longer. */
  add(node: string, { retryAtMs, sinceMs, workerSeconds }: PutOff): void {
    const known = this.nodes.get(node);
    if (known !== undefined) {
      known.expiresMs = Math.max(known.expiresMs, retryAtMs + graceMs);
      return;
    }
    const expiresMs = retryAtMs + graceMs;
    this.nodes.set(node, { sinceMs, workerSeconds, expiresMs });
    this.sum += workerSeconds;
  }

  /** When the request of a node that waits arrived for the first time. */
  since(node: string): number | undefined {
    return this.nodes.get(node)?.sinceMs;
  }

  /** @returns the earlier request of a node that waited */
  remove(node: string): Pick<PutOff, 'sinceMs' | 'workerSeconds'> | undefined {
    const known = this.nodes.get(node);
    if (known === undefined) return undefined;
    this.nodes.delete(node);
    this.sum -= known.workerSeconds;
    return known;
  }

  /** Forgets nodes some time after their retry time has passed. It visits all nodes. */
  expire(nowMs: number): void {
    if (nowMs < this.nextLookMs) return;
    this.nextLookMs = nowMs + lookPauseMs;
    for (const [node, { expiresMs }] of this.nodes) if (expiresMs <= nowMs) this.remove(node);
    // Sums of fractions drift.
    if (this.nodes.size === 0) this.sum = 0;
  }

  get count(): number {
    return this.nodes.size;
  }
  get workerSeconds(): number {
    return Math.max(0, this.sum);
  }
}
