/** One open page's stream of events, as `EventSource` reads it. */

import { Readable } from 'node:stream';
import type { LiveEvent } from './live-hub.ts';

/** Who opened it: what it may follow is looked at again from time to time. */
export interface StreamOwner {
  readonly userId: string;
  /** The session, or `undefined` for a token. */
  readonly session: string | undefined;
  readonly address: string;
}

/** Above it only the newest event of each topic is kept for a browser that doesn't read. */
const highWaterBytes = 64 * 1024;

export class LiveStream {
  readonly id: string;
  readonly owner: StreamOwner;
  readonly body: Readable;
  private readonly epoch: string;
  private topics: ReadonlySet<string> = new Set();
  /** What waits for the browser, by topic. */
  private readonly waiting = new Map<string, LiveEvent>();
  private isFull = false;
  private isOver = false;

  constructor(id: string, epoch: string, owner: StreamOwner) {
    this.id = id;
    this.epoch = epoch;
    this.owner = owner;
    this.body = new Readable({ highWaterMark: highWaterBytes, read: () => this.drain() });
  }

  onEnd(listener: () => void): void {
    this.body.once('close', listener);
  }

  /** Replaces what is followed. */
  follow(topics: readonly string[]): void {
    this.topics = new Set(topics);
  }

  followed(): readonly string[] {
    return [...this.topics];
  }

  follows(topic: string): boolean {
    return topic.endsWith(':')
      ? this.followed().some((each) => each.startsWith(topic))
      : this.topics.has(topic);
  }

  greet(): void {
    this.write('hello', { stream: this.id, epoch: this.epoch });
  }

  /** Tells the page to ask for everything that it shows. */
  reset(): void {
    this.write('reset', { topics: this.followed() });
  }

  send(event: LiveEvent): void {
    if (!this.topics.has(event.topic)) return;
    if (this.isFull) {
      // Deleted first: the newest come last.
      this.waiting.delete(event.topic);
      this.waiting.set(event.topic, event);
    } else this.writeEvent(event);
  }

  /** Keeps proxies from ending the connection, and shows the browser that it is there. */
  beat(): void {
    if (!this.isFull) this.push(': heartbeat\n\n');
  }

  /** The end, and why: `logged-out`, `expired`, `stopping`. */
  bye(reason: string): void {
    if (this.isOver) return;
    this.write('bye', { reason });
    this.isOver = true;
    if (!this.body.destroyed) this.body.push(null);
  }

  private drain(): void {
    this.isFull = false;
    for (const [topic, event] of this.waiting) {
      if (this.isFull) return;
      this.waiting.delete(topic);
      this.writeEvent(event);
    }
  }

  private writeEvent({ id, payload, topic }: LiveEvent): void {
    this.push(
      `id: ${this.epoch}-${id}\nevent: change\ndata: ${JSON.stringify({ topic, version: id, ...payload })}\n\n`,
    );
  }

  private write(event: string, data: object): void {
    this.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  private push(text: string): void {
    if (this.isOver || this.body.destroyed) return;
    this.isFull = !this.body.push(text);
  }
}
