/** The log of catalog requests that a server sends to the primary: numbered, and kept until acknowledged. */

/** A request that got a catalog or was told to retry later. */
export interface ReportedRun<Node = string> {
  readonly node: Node;
  /** How long ago the request arrived for the first time, in ms: ages do not depend on clocks. */
  readonly ageMs: number;
  /** The worker's time; absent when the request was told to retry later. */
  readonly workerMs?: number;
  /** The delay in Retry-After; absent when it got a catalog. */
  readonly retryMs?: number;
}

export interface RunBatch<Node = string> {
  /** The number of the first run; each server counts from 0 when it starts. */
  readonly first: number;
  readonly runs: readonly ReportedRun<Node>[];
}

interface Noted<Node> extends Omit<ReportedRun<Node>, 'ageMs'> {
  readonly arrivedMs: number;
}

/** While the primary is away, older runs are dropped: some 1.5 MB as JSON. */
const mostKept = 20_000;

export class RunLog<Node = string> {
  private noted: Noted<Node>[] = [];
  private first = 0;

  add(run: Noted<Node>): void {
    this.noted.push(run);
    if (this.noted.length > mostKept) this.drop(mostKept / 10);
  }

  /** The runs that the primary has not acknowledged. */
  batch(nowMs: number): RunBatch<Node> {
    const runs = this.noted.map(({ arrivedMs, node, retryMs = 0, workerMs }): ReportedRun<Node> => {
      const ageMs = Math.max(0, Math.round(nowMs - arrivedMs));
      return workerMs === undefined ? { node, ageMs, retryMs } : { node, ageMs, workerMs };
    });
    return { first: this.first, runs };
  }

  /** The primary has acknowledged this many runs, from the first on. */
  acknowledge({ count, first }: { readonly first: number; readonly count: number }): void {
    this.drop(Math.max(0, first + count - this.first));
  }

  private drop(count: number): void {
    this.noted = this.noted.slice(count);
    this.first += count;
  }
}
