/** Who follows the storage: which server serves what, since when it has not been heard of. */

import type { CheckIn, Commits, ReportedFailure } from './termini.ts';

export interface ClientState {
  readonly certname: string;
  readonly serving: Commits;
  /** Commits that it could not bring live, and why. */
  readonly failures: readonly ReportedFailure[];
  readonly isLocal: boolean;
  readonly lastCheckInMs: number;
  /** Its connection ended while it waited for news. */
  readonly hasLeft: boolean;
}

/** A server that has not been heard of for so long is forgotten. */
const forgottenAfterMs = 30 * 24 * 60 * 60 * 1000;

export class Followers {
  private readonly states = new Map<string, ClientState>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  checkIn(certname: string, { failures, isLocal = false, serving }: CheckIn): ClientState {
    const state = { certname, serving, failures, isLocal, lastCheckInMs: this.now(), hasLeft: false };
    this.states.set(certname, state);
    return state;
  }

  /** Notes that a client went away, unless it has come back since that check-in. */
  checkOut(state: ClientState): void {
    if (this.states.get(state.certname) === state)
      this.states.set(state.certname, { ...state, hasLeft: true });
  }

  forget(certname: string): void {
    this.states.delete(certname);
  }

  all(): readonly ClientState[] {
    const now = this.now();
    for (const { certname, lastCheckInMs } of this.states.values())
      if (now - lastCheckInMs > forgottenAfterMs) this.states.delete(certname);
    return [...this.states.values()];
  }
}

/** Whether two maps of commits are the same. */
export function areSameCommits(a: Commits, b: Commits): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
