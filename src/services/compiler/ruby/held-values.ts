/** What Ruby knows by number while it is being called. */

export class HeldValues<T> {
  private readonly values = new Map<number, T>();
  private last = 0;

  /** Numbers are never given twice, so that one from an earlier call finds nothing. */
  hold(value: T): number {
    this.last += 1;
    this.values.set(this.last, value);
    return this.last;
  }

  get(id: unknown): T | undefined {
    return typeof id === 'number' ? this.values.get(id) : undefined;
  }

  release(id: number): void {
    this.values.delete(id);
  }

  clear(): void {
    this.values.clear();
  }
}
