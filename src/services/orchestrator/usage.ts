/** How many nodes there were on each day. */

export interface DailyUsage {
  /** `2026-11-26`, in UTC. */
  readonly date: string;
  readonly nodesWithAgent: number;
}

export interface UsageStore {
  /** Keeps the first count of a day. */
  add(usage: DailyUsage): Promise<void>;
  /** The newest first. @param from - the first day, included @param until - the last day, included */
  list(from: string | undefined, until: string | undefined): Promise<readonly DailyUsage[]>;
}

export interface UsageOptions {
  readonly store: UsageStore;
  /** Active nodes of PuppetDB now; `undefined` without a PuppetDB. */
  readonly countNodes: (signal: AbortSignal) => Promise<number | undefined>;
  readonly nowMs: () => number;
}

const countTimeoutMs = 30_000;

export class Usage {
  private readonly options: UsageOptions;
  private counted: string | undefined;

  constructor(options: UsageOptions) {
    this.options = options;
  }

  /** Counts the nodes of today, once. To be called from time to time. */
  async tick(): Promise<void> {
    const { countNodes, nowMs, store } = this.options;
    const date = new Date(nowMs()).toISOString().slice(0, 10);
    if (this.counted === date) return;
    const nodesWithAgent = await countNodes(AbortSignal.timeout(countTimeoutMs));
    if (nodesWithAgent !== undefined) await store.add({ date, nodesWithAgent });
    this.counted = date;
  }

  async list(from: string | undefined, until: string | undefined): Promise<readonly DailyUsage[]> {
    await this.tick();
    return await this.options.store.list(from, until);
  }
}
