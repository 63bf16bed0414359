/** A compile server tells the primary of itself, and learns when it is to leave. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { isUnderstood, misunderstanding, protocolKind } from './protocol.ts';
import { type CheckIn, OrdersWire } from './wire.ts';

export interface CheckInClientOptions {
  readonly client: Pick<HttpClient, 'send'>;
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  readonly report: () => Promise<CheckIn>;
  /** Called with each report that the primary has accepted. */
  readonly onAccepted?: (report: CheckIn) => void;
  /** Told what a catalog takes a worker on other servers. */
  readonly onMeanCompileMs?: (durationMs: number) => void;
  /** Told what is used of all compile servers, in percent. */
  readonly onCapacityUsed?: (percent: number) => void;
  /** Told with each answer which nodes have waited for long, at any server; none while the primary is away. */
  readonly onLongWaiting?: (nodes: readonly string[]) => void;
  readonly log: Logger;
  /** Called once when the primary tells the server to leave. */
  readonly onLeave: () => void;
  /** Called once when the primary says that the certificate is revoked. */
  readonly onRevoked: () => void;
  /** Called with each answer: why the primary and this server do not understand each other; `undefined` when they do. */
  readonly onUnderstood: (problem: string | undefined) => void;
  /** The pause while the primary is away; it also prevents a busy loop. */
  readonly pauseMs?: number;
}

/** The primary answers after this time when it has nothing to say; sooner where there will be news. */
const waitMs = 2000;
const changingWaitMs = 500;
const timeoutMs = 15_000;
const usualPauseMs = 400;
const lastWordTimeoutMs = 3000;

export class CheckInClient {
  private readonly options: CheckInClientOptions;
  private readonly stopping = new AbortController();
  private talking: Promise<void> | undefined;
  private isAnswered = false;
  private isLeaving = false;

  constructor(options: CheckInClientOptions) {
    this.options = options;
  }

  start(): void {
    this.talking ??= this.talk();
  }

  /**
   * Ends with a last message, so that the server is not taken for lost. Never rejects: the primary may be away.
   *
   * @param state - `drained` when everything has been delivered and the server does not come back
   */
  async stop(state: 'stopped' | 'drained'): Promise<void> {
    this.stopping.abort();
    await this.talking;
    if (!this.isAnswered) return;
    try {
      await this.send({ ...(await this.options.report()), state }, 0, AbortSignal.timeout(lastWordTimeoutMs));
    } catch (err) {
      this.options.log.info({ err }, 'could not tell the primary of the end');
    }
  }

  private async talk(): Promise<void> {
    const { log, onLeave, onRevoked, pauseMs = usualPauseMs, report } = this.options;
    const { signal } = this.stopping;
    let isReachable = true;
    while (!signal.aborted) {
      const askedMs = performance.now();
      try {
        const own = await report();
        const answer = await this.send(own, own.state === 'running' ? waitMs : changingWaitMs, signal);
        if (answer === 'revoked') return onRevoked();
        // Goes on checking in while it drains: who says nothing is taken for gone.
        if (answer === 'leave' && !this.isLeaving) onLeave();
        this.isLeaving ||= answer === 'leave';
        isReachable = true;
        this.isAnswered = true;
      } catch (err) {
        if (signal.aborted) return;
        if (isReachable) log.warn({ err }, 'could not check in with the primary, trying again');
        isReachable = false;
        this.options.onLongWaiting?.([]);
      }
      if (performance.now() - askedMs >= pauseMs) continue;
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        // stopped: the loop sees that
      });
    }
  }

  private async send(
    report: CheckIn,
    wait: number,
    signal: AbortSignal,
  ): Promise<'stay' | 'leave' | 'revoked'> {
    const { client, onAccepted, onCapacityUsed, onMeanCompileMs, onUnderstood, primaryUrl } = this.options;
    const answer = await client.send({
      method: 'POST',
      url: `${primaryUrl}/infrastructure/v1/check-in?wait_ms=${wait}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
      signal,
      timeoutMs,
    });
    const text = answer.body.toString('utf8');
    if (answer.status === 200) {
      const orders = OrdersWire.parse(JSON.parse(text));
      onAccepted?.(report);
      if (orders.mean_compile_ms !== undefined) onMeanCompileMs?.(orders.mean_compile_ms);
      if (orders.capacity_used !== undefined) onCapacityUsed?.(orders.capacity_used);
      this.options.onLongWaiting?.(orders.long_waiting);
      const problem = misunderstanding('the primary', orders.protocol);
      onUnderstood(isUnderstood(orders.protocol) ? undefined : problem);
      return orders.leave ? 'leave' : 'stay';
    }
    if (answer.status === 409 && text.includes(protocolKind)) onUnderstood(`the primary refuses: ${text}`);
    if (answer.status === 403 && text.includes('certificate revoked')) return 'revoked';
    throw new ServiceError(
      'unavailable',
      `The primary answered a check-in with status ${answer.status}: ${text}`,
    );
  }
}
