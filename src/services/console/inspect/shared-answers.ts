/**
 * The same question of many viewers is answered once: when the fleet changes, every open page asks it within a second. An answer is
 * given again as long as it is fresh.
 */

import { SingleFlight } from '../../../lib/single-flight.ts';

interface Kept<T> {
  readonly flight: SingleFlight<T>;
  /** When it was asked, on a clock that is never set; it is running when absent. */
  answeredMs?: number;
}

/** So many different questions are remembered. */
const mostKept = 200;

export class SharedAnswers<T> {
  private readonly kept = new Map<string, Kept<T>>();
  private readonly freshMs: number;
  private readonly steadyMs: () => number;

  constructor({ freshMs, steadyMs }: { readonly freshMs: number; readonly steadyMs: () => number }) {
    this.freshMs = freshMs;
    this.steadyMs = steadyMs;
  }

  /** @param question - the same text for what has the same answer; users who may not see it must not get here */
  async find(question: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const known = this.kept.get(question);
    if (known !== undefined && this.isUsable(known)) return await known.flight.join(signal);
    const kept: Kept<T> = { flight: new SingleFlight(ask) };
    this.remember(question, kept);
    try {
      const answer = await kept.flight.join(signal);
      kept.answeredMs ??= this.steadyMs();
      return answer;
    } catch (error) {
      // A failure is not given to those who ask later.
      if (this.kept.get(question) === kept) this.kept.delete(question);
      throw error;
    }
  }

  private isUsable({ answeredMs, flight }: Kept<T>): boolean {
    if (flight.isAbandoned) return false;
    return answeredMs === undefined || this.steadyMs() - answeredMs < this.freshMs;
  }

  private remember(question: string, kept: Kept<T>): void {
    this.kept.delete(question);
    this.kept.set(question, kept);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= mostKept) break;
      this.kept.delete(oldest);
    }
  }
}
