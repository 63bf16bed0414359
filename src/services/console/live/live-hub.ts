/**
 * What has changed, for pages that are open. An event says what is out of date, never what is there now: pages ask for that, as
 * they may. Events are kept for a while, so that a page whose connection broke misses none.
 */

import { LiveStream, type StreamOwner } from './live-stream.ts';

export interface LiveEvent {
  readonly id: number;
  readonly topic: string;
  /** On a clock that is never set. */
  readonly timeMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface LiveHubOptions {
  /** On a clock that is never set. */
  readonly steadyMs: () => number;
  /** Random, for the hub and its streams. */
  readonly newId: () => string;
}

const keptMs = 5 * 60_000;
/** A page asks for what it shows, and only then follows it: what has changed in between counts, too. */
const justNowMs = 10_000;
const mostKept = 10_000;
const mostStreams = 1000;
const mostOfUser = 10;

export class LiveHub {
  private readonly options: LiveHubOptions;
  /** Numbers of events mean something only with it: they begin anew with each start of the server. */
  readonly epoch: string;
  private readonly streams = new Map<string, LiveStream>();
  private readonly followers = new Set<(topics: readonly string[]) => void>();
  private readonly kept: LiveEvent[] = [];
  private lastId = 0;

  constructor(options: LiveHubOptions) {
    this.options = options;
    this.epoch = options.newId();
  }

  /** Whether a page follows a topic, or one of its kind (`node:`). */
  isFollowed(topic: string): boolean {
    return [...this.streams.values()].some((stream) => stream.follows(topic));
  }

  publish(topic: string, payload: Readonly<Record<string, unknown>> = {}): void {
    const timeMs = this.options.steadyMs();
    const event: LiveEvent = { id: ++this.lastId, topic, timeMs, payload };
    this.kept.push(event);
    this.forgetOld(timeMs);
    for (const stream of this.streams.values()) stream.send(event);
  }

  /**
   * Begins a stream.
   *
   * @param lastEventId - what the browser has seen last, `EPOCH-NUMBER`
   * @returns `undefined` when there are too many
   */
  open(
    owner: StreamOwner,
    topics: readonly string[],
    lastEventId: string | undefined,
  ): LiveStream | undefined {
    const own = [...this.streams.values()].filter((stream) => stream.owner.userId === owner.userId);
    if (this.streams.size >= mostStreams || own.length >= mostOfUser) return undefined;
    const stream = new LiveStream(this.options.newId(), this.epoch, owner);
    this.streams.set(stream.id, stream);
    stream.onEnd(() => this.streams.delete(stream.id));
    this.begin(stream, topics);
    stream.greet();
    if (lastEventId === undefined) this.tellJustNow(stream, topics);
    else this.replay(stream, lastEventId);
    return stream;
  }

  /** Replaces what a stream follows. */
  follow(stream: LiveStream, topics: readonly string[]): void {
    const added = topics.filter((topic) => !stream.follows(topic));
    this.begin(stream, topics);
    this.tellJustNow(stream, added);
  }

  /** Calls back when a page begins to follow topics, for those who gather news only when somebody wants them. */
  onFollow(listener: (topics: readonly string[]) => void): void {
    this.followers.add(listener);
  }

  find(id: string): LiveStream | undefined {
    return this.streams.get(id);
  }

  all(): readonly LiveStream[] {
    return [...this.streams.values()];
  }

  /** Says why to every page; browsers come back by themselves. */
  close(reason: string): void {
    for (const stream of this.all()) stream.bye(reason);
  }

  private begin(stream: LiveStream, topics: readonly string[]): void {
    stream.follow(topics);
    for (const listener of this.followers) listener(topics);
  }

  /** The newest event of each of these topics that is hardly over. */
  private tellJustNow(stream: LiveStream, topics: readonly string[]): void {
    const since = this.options.steadyMs() - justNowMs;
    const first = this.kept.findLastIndex(({ timeMs }) => timeMs < since) + 1;
    const recent = new Map(this.kept.slice(first).map((event) => [event.topic, event]));
    for (const topic of topics) {
      const event = recent.get(topic);
      if (event !== undefined) stream.send(event);
    }
  }

  private replay(stream: LiveStream, lastEventId: string): void {
    const [epoch, number] = lastEventId.split('-');
    const last = Number(number);
    const oldest = this.kept[0]?.id ?? this.lastId + 1;
    const isKnown = epoch === this.epoch && Number.isInteger(last) && last <= this.lastId;
    if (isKnown && last >= oldest - 1) {
      for (const event of this.kept) if (event.id > last) stream.send(event);
    } else stream.reset();
  }

  private forgetOld(nowMs: number): void {
    const firstKept = this.kept.findIndex(({ timeMs }) => nowMs - timeMs <= keptMs);
    const surplus = Math.max(firstKept < 0 ? this.kept.length : firstKept, this.kept.length - mostKept);
    if (surplus > 0) this.kept.splice(0, surplus);
  }
}
