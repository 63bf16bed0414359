/** The present time, for ages on the screen. */

import { useSyncExternalStore } from 'react';

const tickMs = 15_000;

/** One for all ages: a list has hundreds. It stands still while nobody looks. */
class Clock {
  private readonly listeners = new Set<() => void>();
  private now = new Date();
  private timer: ReturnType<typeof setInterval> | undefined;

  readonly present = (): Date => {
    if (this.timer === undefined && Date.now() - this.now.getTime() >= tickMs) this.now = new Date();
    return this.now;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.timer ??= setInterval(() => this.tick(), tickMs);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };

  private tick(): void {
    this.now = new Date();
    for (const listener of this.listeners) listener();
  }
}

const clock = new Clock();

/** @returns the time, which moves on every 15 seconds */
export function useNow(): Date {
  return useSyncExternalStore(clock.subscribe, clock.present);
}
