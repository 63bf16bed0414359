/** Topics that pages follow and whose changes are not announced: their state is compared while somebody looks. */

import type { LiveHub } from './live-hub.ts';

export interface WatchedTopic {
  readonly topic: string;
  /** Another text means that something has changed. */
  readonly read: () => string | Promise<string>;
}

const lookMs = 1000;

export class TopicWatch {
  private readonly hub: LiveHub;
  private readonly topics: readonly WatchedTopic[];
  /** What was read last, by topic; only of those that are followed. */
  private readonly known = new Map<string, string>();
  private readonly timer: NodeJS.Timeout;
  private looking: Promise<void> | undefined;

  constructor(hub: LiveHub, topics: readonly WatchedTopic[]) {
    this.hub = hub;
    this.topics = topics;
    this.timer = setInterval(() => void this.look(), lookMs).unref();
  }

  /** Reads what is followed; a look that takes long is not begun again meanwhile. */
  look(): Promise<void> {
    this.looking ??= Promise.all(this.topics.map((each) => this.compare(each))).then(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async compare({ read, topic }: WatchedTopic): Promise<void> {
    if (!this.hub.isFollowed(topic)) {
      this.known.delete(topic);
      return;
    }
    try {
      const text = await read();
      // The first look is told, too: a page may have asked before something changed, and followed after it.
      if (this.known.get(topic) === text) return;
      this.known.set(topic, text);
      this.hub.publish(topic);
    } catch {
      // The database does not answer: the page says how old it is.
    }
  }
}
