/** Attempts to guess a password get slower: 1, 2, 4 ... 30 s between wrong ones of one login from one address. */

const longestSeconds = 30;
/** Attackers choose logins: what is remembered is bounded, the oldest is forgotten. */
const mostRemembered = 10_000;

interface Failures {
  readonly count: number;
  readonly notBeforeMs: number;
}

export class LoginDelays {
  private readonly failures = new Map<string, Failures>();
  private readonly steadyMs: () => number;

  /** @param steadyMs - on a clock that is never set: a clock set back would lock people out */
  constructor(steadyMs: () => number) {
    this.steadyMs = steadyMs;
  }

  /** How many seconds an attempt has to wait; 0 when it may be made now. */
  secondsLeft(login: string, address: string): number {
    const found = this.failures.get(keyOf(login, address));
    return found === undefined ? 0 : Math.max(0, Math.ceil((found.notBeforeMs - this.steadyMs()) / 1000));
  }

  noteFailure(login: string, address: string): void {
    const key = keyOf(login, address);
    const count = (this.failures.get(key)?.count ?? 0) + 1;
    this.failures.delete(key);
    const seconds = Math.min(longestSeconds, 2 ** (count - 1));
    this.failures.set(key, { count, notBeforeMs: this.steadyMs() + seconds * 1000 });
    const [oldest] = this.failures.keys();
    if (this.failures.size > mostRemembered && oldest !== undefined) this.failures.delete(oldest);
  }

  noteSuccess(login: string, address: string): void {
    this.failures.delete(keyOf(login, address));
  }
}

/** Neither holds a line break. */
function keyOf(login: string, address: string): string {
  return `${login.toLowerCase()}\n${address}`;
}
