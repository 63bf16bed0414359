/** Limits for passwords that directories check. */

import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { folded } from './directory/names.ts';
import { LoginLimit } from './login-limit.ts';

/** Directories answer slowly when they are in trouble: local users must not wait for them, nor they for each other. */
const mostAtATime = 8;
/** For so long wrong passwords of a login that is not a user yet are remembered. */
const rememberedMs = 15 * 60 * 1000;
const mostRemembered = 10_000;

export class RemoteLogins {
  private readonly mostFailures: number;
  private readonly now: () => Date;
  private readonly turns = new Semaphore(mostAtATime);
  private readonly queue = new KeyedQueue();
  private readonly failures = new Map<string, { readonly count: number; readonly untilMs: number }>();
  private readonly limit = new LoginLimit('Too many passwords are being checked');

  constructor(mostFailures: number, now: () => Date) {
    this.mostFailures = mostFailures;
    this.now = now;
  }

  /** One attempt for a login after the other, so that each knows what became of those before it. */
  inTurn<T>(login: string, work: () => Promise<T>): Promise<T> {
    return this.limit.run(() => this.queue.run([folded(login)], () => this.turns.run(work)));
  }

  /** Whether a login that is not a user yet had too many wrong passwords: the directory is not asked then. */
  isBlocked(login: string): boolean {
    return this.countOf(folded(login)) >= this.mostFailures;
  }

  noteFailure(login: string): void {
    const key = folded(login);
    const count = this.countOf(key) + 1;
    this.failures.delete(key);
    this.failures.set(key, { count, untilMs: this.now().getTime() + rememberedMs });
    // The first in the map is the one that failed longest ago.
    const [oldest] = this.failures.keys();
    if (this.failures.size > mostRemembered && oldest !== undefined) this.failures.delete(oldest);
  }

  forget(login: string): void {
    this.failures.delete(folded(login));
  }

  private countOf(key: string): number {
    const known = this.failures.get(key);
    return known === undefined || known.untilMs <= this.now().getTime() ? 0 : known.count;
  }
}
