/** What the server tells open pages: which things are not any more as they are shown. */

import { put } from './client.ts';
import { TopicSet } from './topic-set.ts';

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
  private readonly topics: TopicSet;
  private id: string | undefined;

  constructor(topics: readonly string[], listener: StreamListener) {
    this.topics = new TopicSet(topics, (all) => this.tell(all));
    const atFirst = this.topics.all;
    this.source = new EventSource(
      `/console-api/v1/events?${new URLSearchParams({ topics: atFirst.join() })}`,
    );
    this.on('hello', (data) => {
      const { stream } = data as { readonly stream: string };
      this.id = stream;
      listener.onOpen();
      // The browser asks again with its earlier address.
      this.topics.opened(atFirst);
    });
    this.on('change', (data) => listener.onChange(data as Change));
    this.on('reset', (data) => listener.onReset((data as { readonly topics: readonly string[] }).topics));
    this.on('bye', () => listener.onLost(false));
    this.source.onerror = () => {
      this.topics.closed();
      listener.onLost(this.source.readyState === EventSource.CLOSED);
    };
  }

  /** Follows these from now on, on the same connection. */
  follow(topics: readonly string[]): void {
    this.topics.want(topics);
  }

  close(): void {
    this.topics.closed();
    this.source.close();
  }

  private async tell(topics: readonly string[]): Promise<void> {
    await put(`/console-api/v1/events/${encodeURIComponent(this.id ?? '')}/topics`, { topics });
  }

  private on(name: string, listen: (data: unknown) => void): void {
    this.source.addEventListener(name, (event: MessageEvent<string>) => listen(JSON.parse(event.data)));
  }
}
