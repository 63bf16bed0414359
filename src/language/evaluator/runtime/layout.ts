/** Which variable lives in which slot of a frame. One for each body of code, made once when it is lowered. */

export class Layout {
  private readonly slots = new Map<string, number>();

  /** The slot of a name, a new one when it has none. */
  declare(name: string): number {
    const known = this.slots.get(name);
    if (known !== undefined) return known;
    const slot = this.slots.size;
    this.slots.set(name, slot);
    return slot;
  }

  slotOf(name: string): number | undefined {
    return this.slots.get(name);
  }

  get size(): number {
    return this.slots.size;
  }

  names(): Iterable<string> {
    return this.slots.keys();
  }
}
