/** What the server tells open pages: which things are not any more as they are shown. */

import { put } from './client.ts';

export interface Change {
  readonly topic: string;
  readonly version: number;
  readonly [more: string]: unknown;
}

export interface StreamListener {
  /** The stream is open; what was missed before is not told. */
  onOpen(): void;
  onChange(change: Change): void;
  /** These topics may have changed without an event. */
  onReset(topics: readonly string[]): void;
  /** The connection is lost, or was ended; the browser tries again by itself unless `isOver`. */
  onLost(isOver: boolean): void;
}

/** One connection, which the browser opens again when it breaks. */
export class Stream {
  private readonly source: EventSource;
  private topics: readonly string[];
  private id: string | undefined;

  constructor(topics: readonly string[], listener: StreamListener) {
    this.topics = topics;
    this.source = new EventSource(`/console-api/v1/events?${new URLSearchParams({ topics: topics.join() })}`);
    this.on('hello', (data) => {
      const { stream } = data as { readonly stream: string };
      this.id = stream;
      listener.onOpen();
      this.tellTopics();
    });
    this.on('change', (data) => listener.onChange(data as Change));
    this.on('reset', (data) => listener.onReset((data as { readonly topics: readonly string[] }).topics));
    this.on('bye', () => listener.onLost(false));
    this.source.onerror = () => {
      this.id = undefined;
      listener.onLost(this.source.readyState === EventSource.CLOSED);
    };
  }

  /** Follows these from now on, on the same connection. */
  follow(topics: readonly string[]): void {
    if (topics.join() === this.topics.join()) return;
    this.topics = topics;
    this.tellTopics();
  }

  close(): void {
    this.source.close();
  }

  private tellTopics(): void {
    if (this.id === undefined) return;
    const path = `/console-api/v1/events/${encodeURIComponent(this.id)}/topics`;
    put(path, { topics: this.topics }).catch(() => {
      // the stream has just ended: the next one begins with the topics of then
      this.id = undefined;
    });
  }

  private on(name: string, listen: (data: unknown) => void): void {
    this.source.addEventListener(name, (event: MessageEvent<string>) => listen(JSON.parse(event.data)));
  }
}
