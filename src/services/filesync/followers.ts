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
/** A server that has not polled for this long is away, and is not waited for. */
const awayAfterMs = 60_000;
/** Servers that were there before a restart are back within seconds. */
const expectedForMs = 30_000;

export class Followers {
  private readonly states = new Map<string, ClientState>();
  /** Until when each server that has not been heard of yet is waited for, in ms since the epoch. */
  private readonly expected = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  checkIn(certname: string, { failures, isLocal = false, serving }: CheckIn): ClientState {
    const state = { certname, serving, failures, isLocal, lastCheckInMs: this.now(), hasLeft: false };
    this.states.set(certname, state);
    this.expected.delete(certname);
    return state;
  }

  /** Notes that a client went away, unless it has come back since that check-in. */
  checkOut(state: ClientState): void {
    if (this.states.get(state.certname) === state)
      this.states.set(state.certname, { ...state, hasLeft: true });
  }

  /** Servers that followed before this process began. */
  expect(certnames: readonly string[]): void {
    const until = this.now() + expectedForMs;
    for (const certname of certnames) if (!this.states.has(certname)) this.expected.set(certname, until);
  }

  /** Those of them that are not back, for as long as they may take. */
  awaited(): readonly string[] {
    const now = this.now();
    for (const [certname, until] of this.expected) if (now >= until) this.expected.delete(certname);
    return [...this.expected.keys()];
  }

  /** Servers in contact. */
  present(): readonly ClientState[] {
    const now = this.now();
    return this.all().filter(({ hasLeft, lastCheckInMs }) => !hasLeft && now - lastCheckInMs < awayAfterMs);
  }

  forget(certname: string): void {
    this.expected.delete(certname);
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
