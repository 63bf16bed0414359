/** Events in the order of their times: a binary heap without objects, since a day of a fleet has millions. */

const firstCapacity = 1024;

export class EventQueue {
  private times = new Float64Array(firstCapacity);
  private events = new Uint32Array(firstCapacity);
  private length = 0;

  /** Of the next event; Infinity when there is none. */
  get nextMs(): number {
    return this.length === 0 ? Number.POSITIVE_INFINITY : (this.times[0] ?? 0);
  }

  /** @param event - a whole number below 2^32 */
  add(atMs: number, event: number): void {
    if (this.length === this.times.length) this.grow();
    const { events, times } = this;
    let place = this.length;
    this.length += 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const parentMs = times[parent] ?? 0;
      if (parentMs <= atMs) break;
      times[place] = parentMs;
      events[place] = events[parent] ?? 0;
      place = parent;
    }
    times[place] = atMs;
    events[place] = event;
  }

  /** Removes the next event. To be called only while there is one. */
  take(): number {
    const { events, times } = this;
    const taken = events[0] ?? 0;
    this.length -= 1;
    const { length } = this;
    const [lastMs, last] = [times[length] ?? 0, events[length] ?? 0];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      if (child + 1 < length && (times[child + 1] ?? 0) < (times[child] ?? 0)) child += 1;
      const childMs = times[child] ?? 0;
      if (childMs >= lastMs) break;
      times[place] = childMs;
      events[place] = events[child] ?? 0;
      place = child;
    }
    times[place] = lastMs;
    events[place] = last;
    return taken;
  }

  private grow(): void {
    const [times, events] = [this.times, this.events];
    this.times = new Float64Array(times.length * 2);
    this.events = new Uint32Array(times.length * 2);
    this.times.set(times);
    this.events.set(events);
  }
}
