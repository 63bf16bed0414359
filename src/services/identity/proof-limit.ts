/** Strangers may send proofs, and each costs a question to a platform: how many one address may send, and how many are in flight. */

import { ServiceError } from '../../lib/service-error.ts';

/** A group that launches many at once comes from one address where a load balancer is between. */
const burst = 60;
const perSecond = 2;
const mostInFlight = 20;
/** Addresses are many: the oldest is forgotten. */
const mostRemembered = 10_000;

interface Allowance {
  readonly left: number;
  readonly atMs: number;
}

export class ProofLimit {
  private readonly allowances = new Map<string, Allowance>();
  private readonly steadyMs: () => number;
  private readonly isProxy: (address: string) => boolean;
  private inFlight = 0;

  /**
   * @param steadyMs - on a clock that is never set
   * @param isProxy - whether a balancer that we know of has the address: one client must not use up what all behind it may send
   */
  constructor(steadyMs: () => number, isProxy: (address: string) => boolean = () => false) {
    this.steadyMs = steadyMs;
    this.isProxy = isProxy;
  }

  /** Resolves or rejects as `work` does. @throws ServiceError `unavailable` when it is too much */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (!this.isProxy(address)) this.take(address);
    if (this.inFlight >= mostInFlight) throw tooMany(`${mostInFlight} proofs are being looked at`, 2);
    this.inFlight += 1;
    try {
      return await work();
    } finally {
      this.inFlight -= 1;
    }
  }

  private take(address: string): void {
    const nowMs = this.steadyMs();
    const { atMs, left } = this.allowances.get(address) ?? { left: burst, atMs: nowMs };
    const now = Math.min(burst, left + ((nowMs - atMs) / 1000) * perSecond);
    this.allowances.delete(address);
    this.allowances.set(address, { left: Math.max(0, now - 1), atMs: nowMs });
    const [oldest] = this.allowances.keys();
    if (this.allowances.size > mostRemembered && oldest !== undefined) this.allowances.delete(oldest);
    if (now < 1) throw tooMany(`too many proofs from ${address}`, Math.ceil((1 - now) / perSecond));
  }
}

function tooMany(reason: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('unavailable', `Try again later: ${reason}`, { details: { retryAfterSeconds } });
}
