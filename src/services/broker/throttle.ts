/** Lets clients send so much, and no more: what comes too fast waits in the client. */

import type { Session } from './session.ts';

/** A client may send so many messages at once after it was silent for a while. */
const burstSeconds = 2;
const pollMs = 50;

interface Allowance {
  messages: number;
  atMs: number;
}

export class Throttle {
  private readonly perSecond: number;
  private readonly nowMs: () => number;
  private readonly allowances = new WeakMap<Session, Allowance>();
  private readonly paused = new Map<Session, () => boolean>();
  private timer: NodeJS.Timeout | undefined;

  constructor(messagesPerSecond: number, nowMs: () => number) {
    this.perSecond = messagesPerSecond;
    this.nowMs = nowMs;
  }

  /** Counts a message; stops reading when that was one too many. */
  count(session: Session): void {
    const nowMs = this.nowMs();
    const most = this.perSecond * burstSeconds;
    const known = this.allowances.get(session) ?? { messages: most, atMs: nowMs };
    const gained = ((nowMs - known.atMs) / 1000) * this.perSecond;
    const messages = Math.min(most, known.messages + gained) - 1;
    this.allowances.set(session, { messages, atMs: nowMs });
    if (messages >= 0) return;
    const untilMs = nowMs + (-messages / this.perSecond) * 1000;
    this.pauseUntil(session, () => this.nowMs() >= untilMs);
  }

  /** Stops reading until `isOver`, which is asked again and again. */
  pauseUntil(session: Session, isOver: () => boolean): void {
    const before = this.paused.get(session);
    if (before === undefined) session.wire.pause();
    this.paused.set(session, before === undefined ? isOver : () => before() && isOver());
    this.timer ??= setInterval(() => this.resume(), pollMs);
  }

  forget(session: Session): void {
    this.paused.delete(session);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private resume(): void {
    for (const [session, isOver] of this.paused) {
      if (!isOver()) continue;
      this.paused.delete(session);
      session.wire.resume();
    }
    if (this.paused.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
