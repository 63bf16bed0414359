/** Looks after open streams: signs of life, and the end of those whose user may not follow them any more. */

import type { ConsoleSessions } from '../sessions.ts';
import type { LiveHub } from './live-hub.ts';
import type { LiveStream } from './live-stream.ts';
import { mayFollow } from './topics.ts';

const heartbeatMs = 15_000;
/** How long somebody who lost a right may learn that something has changed, though not what. */
const checkMs = 5000;

export class LiveWatch {
  private readonly hub: LiveHub;
  private readonly sessions: ConsoleSessions;
  private readonly timers: readonly NodeJS.Timeout[];

  constructor(hub: LiveHub, sessions: ConsoleSessions) {
    this.hub = hub;
    this.sessions = sessions;
    this.timers = [
      setInterval(() => this.beat(), heartbeatMs).unref(),
      setInterval(() => void this.check(), checkMs).unref(),
    ];
  }

  /** Ends the streams of a session that was logged out, at once. */
  endSession(session: string): void {
    for (const stream of this.hub.all()) if (stream.owner.session === session) stream.bye('logged-out');
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.hub.close('stopping');
  }

  /** Ends the streams of sessions that have ended, and narrows those whose user has lost a right. */
  async check(): Promise<void> {
    const bySession = Map.groupBy(this.hub.all(), ({ owner }) => owner.session);
    for (const [session, streams] of bySession) {
      // Streams of programs last as long as their connections.
      if (session !== undefined) await this.checkSession(session, streams);
    }
  }

  private async checkSession(session: string, streams: readonly LiveStream[]): Promise<void> {
    try {
      const user = await this.sessions.identify(session, streams[0]?.owner.address ?? '');
      for (const stream of streams) {
        if (user === undefined) stream.bye('expired');
        else stream.follow(stream.followed().filter((topic) => mayFollow(user, topic)));
      }
    } catch {
      // The database does not answer: that ends no session.
    }
  }

  private beat(): void {
    for (const stream of this.hub.all()) stream.beat();
  }
}
