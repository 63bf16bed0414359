import { BreakSignal } from '../function.ts';

/** Runs a loop that `break()` in a lambda may end. */
export function untilBreak(loop: () => void): void {
  try {
    loop();
  } catch (signal) {
    if (!(signal instanceof BreakSignal)) throw signal;
  }
}
