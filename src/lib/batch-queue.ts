/**
 * Does what has gathered while the work before was under way in one go: many callers share one sync of a disk.
 */

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export class BatchQueue<T, R> {
  private readonly work: (items: readonly T[]) => Promise<readonly R[]>;
  private readonly maximum: number;
  private waiting: Waiting<T, R>[] = [];
  private running: Promise<void> | undefined;

  /**
   * @param work - gives one result for each item, in their order; when it fails, all callers fail
   * @param maximum - items in one go
   */
  constructor(work: (items: readonly T[]) => Promise<readonly R[]>, maximum = 256) {
    this.work = work;
    this.maximum = maximum;
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.running ??= this.drain();
    });
  }

  private async drain(): Promise<void> {
    // Callers that come within the same turn of the event loop go together.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.runBatch(this.waiting.splice(0, this.maximum));
    this.running = undefined;
  }

  private async runBatch(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined && index >= results.length) reject(new Error('The batch gave no result'));
        else resolve(result as R);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
