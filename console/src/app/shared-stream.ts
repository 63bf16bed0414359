/**
 * One stream of events for all tabs of a browser, which opens few connections to a server: the tab that holds a lock
 * has the stream, follows what all tabs want, and passes events on to them.
 */

import { type Change, Stream } from '../api/stream.ts';

const name = 'bunraku.events';
/** A stream that the server has refused is tried again after so long. */
const retryMs = 60_000;

type Message =
  | { readonly kind: 'wants'; readonly tab: string; readonly topics: readonly string[] }
  | { readonly kind: 'gone'; readonly tab: string }
  /** A new tab leads, and asks what all want. */
  | { readonly kind: 'who' }
  | { readonly kind: 'live'; readonly isLive: boolean }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'reset'; readonly topics: readonly string[] };

export interface SharedStreamListener {
  onChange(change: Change): void;
  onReset(topics: readonly string[]): void;
  onLive(isLive: boolean): void;
}

export class SharedStream {
  private readonly tab = crypto.randomUUID();
  private readonly channel = new BroadcastChannel(name);
  private readonly listener: SharedStreamListener;
  private readonly wanted = new Map<string, readonly string[]>();
  private readonly ending = new AbortController();
  private topics: readonly string[] = [];
  /** Only in the tab that leads. */
  private stream: Stream | undefined;
  private isLive = false;

  constructor(listener: SharedStreamListener) {
    this.listener = listener;
    this.channel.onmessage = (event: MessageEvent<Message>) => this.receive(event.data);
    addEventListener('pagehide', () => this.send({ kind: 'gone', tab: this.tab }), {
      signal: this.ending.signal,
    });
    // Held until this tab ends: then the next in line gets it.
    navigator.locks
      .request(name, { signal: this.ending.signal }, () => this.lead())
      .catch(() => {
        // ended while it waited
      });
  }

  /** Says what this tab wants to be told of. */
  follow(topics: readonly string[]): void {
    this.topics = topics;
    this.send({ kind: 'wants', tab: this.tab, topics });
    this.wanted.set(this.tab, topics);
    this.stream?.follow(this.allTopics());
  }

  close(): void {
    this.send({ kind: 'gone', tab: this.tab });
    this.ending.abort();
    this.stream?.close();
    this.channel.close();
  }

  private lead(): Promise<void> {
    this.wanted.set(this.tab, this.topics);
    this.send({ kind: 'who' });
    this.open();
    return new Promise((resolve) => {
      this.ending.signal.addEventListener('abort', () => resolve());
    });
  }

  private open(): void {
    if (this.ending.signal.aborted) return;
    this.stream = new Stream(this.allTopics(), {
      onOpen: () => this.share({ kind: 'live', isLive: true }),
      onChange: (change) => this.share({ kind: 'change', change }),
      onReset: (topics) => this.share({ kind: 'reset', topics }),
      onLost: (isOver) => {
        this.share({ kind: 'live', isLive: false });
        if (isOver) setTimeout(() => this.open(), retryMs);
      },
    });
  }

  private allTopics(): readonly string[] {
    return Array.from(new Set(Array.from(this.wanted.values()).flat())).sort();
  }

  /** To all tabs, this one included. */
  private share(message: Message): void {
    this.send(message);
    this.receive(message);
  }

  private send(message: Message): void {
    this.channel.postMessage(message);
  }

  private receive(message: Message): void {
    switch (message.kind) {
      case 'wants':
        this.wanted.set(message.tab, message.topics);
        if (this.stream !== undefined) this.send({ kind: 'live', isLive: this.isLive });
        return this.stream?.follow(this.allTopics());
      case 'gone':
        this.wanted.delete(message.tab);
        return this.stream?.follow(this.allTopics());
      case 'who':
        return this.send({ kind: 'wants', tab: this.tab, topics: this.topics });
      case 'live':
        this.isLive = message.isLive;
        return this.listener.onLive(message.isLive);
      case 'change':
        return this.listener.onChange(message.change);
      case 'reset':
        return this.listener.onReset(message.topics);
      default:
        return message satisfies never;
    }
  }
}
