/** How many logins of one kind may be in flight: later ones would wait in vain. */

import { rbacError } from './rbac-error.ts';

const mostInFlight = 100;

export class LoginLimit {
  private readonly refusal: string;
  private inFlight = 0;

  /** @param refusal - what clients are told that have to retry later */
  constructor(refusal: string) {
    this.refusal = refusal;
  }

  /** Resolves or rejects as `work` does. @throws ServiceError `unavailable` when too many are in flight */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.inFlight >= mostInFlight)
      throw rbacError('unavailable', 'too-many-logins', this.refusal, { retryAfterSeconds: 30 });
    this.inFlight += 1;
    try {
      return await work();
    } finally {
      this.inFlight -= 1;
    }
  }
}
