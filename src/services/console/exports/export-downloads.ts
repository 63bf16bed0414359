/** Exports that have begun and that a browser has not fetched yet: each at an address that works once, for its user, for a short while. */

import { randomUUID } from 'node:crypto';
import type { BegunExport } from './begun-export.ts';

/** Pages fetch at once. */
const usualWaitMs = 30_000;
/** More that one user begins and does not fetch end the oldest. */
const mostOfUser = 5;

interface Waiting {
  readonly user: string;
  readonly begun: BegunExport;
  readonly timer: NodeJS.Timeout;
}

export class ExportDownloads {
  /** By id, the oldest first. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly waitMs: number;

  constructor(waitMs = usualWaitMs) {
    this.waitMs = waitMs;
  }

  /** @returns the id by which this user takes it */
  keep(user: string, begun: BegunExport): string {
    const own = Array.from(this.waiting).filter(([, each]) => each.user === user);
    for (const [oldest] of own.slice(0, Math.max(0, own.length + 1 - mostOfUser))) this.end(oldest);
    const id = randomUUID();
    const timer = setTimeout(() => this.end(id), this.waitMs).unref();
    this.waiting.set(id, { user, begun, timer });
    return id;
  }

  /** @returns `undefined` for an id that is unknown, another user's, used or too old */
  take(user: string, id: string): BegunExport | undefined {
    const found = this.waiting.get(id);
    if (found?.user !== user) return undefined;
    clearTimeout(found.timer);
    this.waiting.delete(id);
    return found.begun;
  }

  close(): void {
    for (const id of this.waiting.keys()) this.end(id);
  }

  private end(id: string): void {
    const found = this.waiting.get(id);
    if (found === undefined) return;
    clearTimeout(found.timer);
    this.waiting.delete(id);
    found.begun.end();
  }
}
