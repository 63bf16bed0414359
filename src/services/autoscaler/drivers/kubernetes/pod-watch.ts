/**
 * The pods as the cluster tells of them: one list, then each change as it happens. A pod that is being deleted is known at once, and
 * the cluster is not asked again and again.
 *
 * @see "Efficient detection of changes" in the concepts of the Kubernetes API
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { checkShape } from '../../../../lib/check-shape.ts';
import { asDriverError, DriverError } from '../driver.ts';
import { listPods, type Pod, type PodSource, PodWire, podsPath } from './pod.ts';

const EventWire = z.object({ type: z.string(), object: z.unknown() });
const BookmarkWire = z.object({ metadata: z.object({ resourceVersion: z.string() }) });
const ErrorWire = z.object({ code: z.number().default(0), message: z.string().default('no reason given') });

/** The version is too old to go on from. */
const gone = 410;
const firstPauseMs = 500;
/** Watches resume without losing an event. */
const betweenMs = 100;
/** Between two lists, where watching is not allowed. */
const pollMs = 5000;
const longestPauseMs = 10_000;

export class PodWatch {
  private readonly source: PodSource;
  private readonly stopping = new AbortController();
  private pods: ReadonlyMap<string, Pod> = new Map();
  private version: string | undefined;
  private problem: DriverError | undefined;
  private pauseMs = firstPauseMs;
  private watching: { readonly first: Promise<void>; readonly all: Promise<void> } | undefined;

  constructor(source: PodSource) {
    this.source = source;
  }

  /** The pods as of the last event. @throws DriverError while the cluster is unreachable: the state is then unknown */
  async list(): Promise<readonly Pod[]> {
    this.watching ??= this.start();
    await this.watching.first;
    if (this.problem !== undefined) throw this.problem;
    return [...this.pods.values()];
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching?.all;
  }

  private start() {
    const first = this.attempt(() => this.begin());
    return { first, all: first.then(() => this.watch()) };
  }

  private async watch(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.attempt(async () => {
        await this.begin();
        await this.follow();
      });
      await this.pause(this.problem === undefined ? betweenMs : this.pauseMs);
      if (this.problem !== undefined) this.pauseMs = Math.min(2 * this.pauseMs, longestPauseMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.problem = asDriverError(error);
    }
  }

  /** Lists all pods, unless changes can be followed from where they are known. */
  private async begin(): Promise<void> {
    if (this.version !== undefined) return;
    const { pods, version } = await listPods(this.source, this.stopping.signal);
    this.pods = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
    this.version = version;
    this.recovered();
  }

  /** Until the cluster ends its answer, as it does from time to time. */
  private async follow(): Promise<void> {
    const { cluster } = this.source;
    const events = await cluster.watch(podsPath(this.source), this.version ?? '', this.stopping.signal);
    this.recovered();
    if (events === undefined) {
      await this.pause(pollMs);
      this.version = undefined;
      return;
    }
    try {
      for await (const event of events) this.note(event);
    } catch (error) {
      // A malformed event would be sent again.
      if (error instanceof DriverError) this.version = undefined;
      throw error;
    }
  }

  private recovered(): void {
    this.problem = undefined;
    this.pauseMs = firstPauseMs;
  }

  private note(event: unknown): void {
    const { object, type } = understood(EventWire, event);
    if (type === 'ERROR') {
      const { code, message } = understood(ErrorWire, object);
      this.version = undefined;
      if (code !== gone)
        throw new DriverError(`The Kubernetes API ends the watch of pods: ${message}`, 'soon');
    } else if (type === 'BOOKMARK') {
      this.version = understood(BookmarkWire, object).metadata.resourceVersion;
    } else {
      const pod = understood(PodWire, object);
      const pods = new Map(this.pods);
      if (type === 'DELETED') pods.delete(pod.metadata.uid);
      else pods.set(pod.metadata.uid, pod);
      this.pods = pods;
      this.version = pod.metadata.resourceVersion;
    }
  }
}

/** @throws DriverError */
function understood<T extends z.ZodType>(shape: T, value: unknown): z.infer<T> {
  const parsed = checkShape(shape, value);
  if (parsed.success) return parsed.data;
  throw new DriverError('The Kubernetes API tells of pods in another form', 'soon');
}
