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

/** @typeParam Node - what names a node; simulations have numbers, which are found faster */
export class WaitingNodes<Node = string> {
  private readonly nodes = new Map<Node, Waiting>();
  private sum = 0;
  private nextLookMs = 0;

  /**
   * A node that waits already waits longer.
   *
   * @returns when its request arrived for the first time, where that was earlier; `undefined` for a node that did not wait
   */
  add(node: Node, { retryAtMs, sinceMs, workerSeconds }: PutOff): number | undefined {
    const known = this.nodes.get(node);
    const expiresMs = retryAtMs + graceMs;
    if (known !== undefined) {
      known.expiresMs = Math.max(known.expiresMs, expiresMs);
      return known.sinceMs;
    }
    this.nodes.set(node, { sinceMs, workerSeconds, expiresMs });
    this.sum += workerSeconds;
    return undefined;
  }

  /** When the request of a node that waits arrived for the first time. */
  since(node: Node): number | undefined {
    return this.nodes.size === 0 ? undefined : this.nodes.get(node)?.sinceMs;
  }

  /** @returns the earlier request of a node that waited */
  remove(node: Node): Pick<PutOff, 'sinceMs' | 'workerSeconds'> | undefined {
    // Most nodes never wait.
    const known = this.nodes.size === 0 ? undefined : this.nodes.get(node);
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

  /** The nodes that have waited for longest, about in the order in which they came, at most `most` of them. */
  oldest(beforeMs: number, most: number): readonly Node[] {
    const found: Node[] = [];
    for (const [node, { sinceMs }] of this.nodes) {
      if (sinceMs > beforeMs || found.length >= most) break;
      found.push(node);
    }
    return found;
  }

  get count(): number {
    return this.nodes.size;
  }
  get workerSeconds(): number {
    return Math.max(0, this.sum);
  }
}
