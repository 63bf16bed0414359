/** A port for health checks over plain HTTP, in a thread of its own: the main one may have a crowd to let in. */

import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import type {
  FromHealthThread,
  HealthThreadOptions,
  PlainAnswer,
  ToHealthThread,
} from './health-protocol.ts';
import { statusAnswer } from './routes.ts';
import type { StatusRegistry } from './status-registry.ts';

export interface HealthPortOptions {
  readonly registry: StatusRegistry;
  readonly workerUrl: URL;
  /** 0 for any free one. */
  readonly port: number;
  /** All addresses when absent. */
  readonly host?: string | undefined;
  readonly log: Logger;
  /** How long the main thread may say nothing before the server counts as broken, in ms. */
  readonly staleAfterMs?: number;
}

/** How often the thread is told the states. */
const publishIntervalMs = 250;
/** A main thread that is busy says something within seconds; one that hangs has to be left. */
const defaultStaleAfterMs = 5000;
const readTimeoutSeconds = 5;
/** Load balancers check at least this often: AWS allows intervals of up to 300 s. */
const longestCheckIntervalMs = 300_000;

export class HealthPort {
  private readonly options: HealthPortOptions;
  private readonly worker: Worker;
  private readonly timer: NodeJS.Timeout;
  private readonly closed: Promise<void>;
  private isClosing = false;
  private lastAskedMs = Number.NEGATIVE_INFINITY;

  private constructor(options: HealthPortOptions, worker: Worker) {
    this.options = options;
    this.worker = worker;
    this.closed = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.timer = setInterval(() => void this.publish(), publishIntervalMs);
    this.timer.unref();
  }

  /** @returns the port that is listened on, and what keeps it @throws ServiceError `unavailable` when it can't be opened */
  static async open(
    options: HealthPortOptions,
  ): Promise<{ readonly port: number; readonly health: HealthPort }> {
    const { host, port, staleAfterMs = defaultStaleAfterMs, workerUrl } = options;
    const workerData: HealthThreadOptions = { host, port, staleAfterMs };
    const worker = new Worker(workerUrl, { workerData, name: 'health' });
    const health = new HealthPort(options, worker);
    const [opened] = await Promise.all([health.listening(), health.publish()]);
    return { port: opened, health };
  }

  /** Tells the thread what is the case now. */
  async publish(): Promise<void> {
    const answers = await this.options.registry.readAll('critical', readTimeoutSeconds);
    this.send({
      kind: 'states',
      states: Object.fromEntries(Array.from(answers, ([name, { state }]) => [name, state])),
      apart: Array.from(answers).flatMap(([name, { isApart }]) => (isApart ? [name] : [])),
    });
  }

  /** Whether a load balancer has asked within the longest interval of health checks. */
  get isPolled(): boolean {
    return performance.now() - this.lastAskedMs < longestCheckIntervalMs;
  }

  async close(): Promise<void> {
    if (this.isClosing) return this.closed;
    this.isClosing = true;
    clearInterval(this.timer);
    this.send({ kind: 'close' });
    await this.closed;
  }

  private listening(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.worker.on('message', (message: FromHealthThread) => {
        if (message.kind === 'listening') resolve(message.port);
        else if (message.kind === 'failed') reject(this.failure(message.message));
        else if (message.kind === 'asked') this.lastAskedMs = performance.now();
        else void this.answer(message.id, message.url);
      });
      this.worker.on('error', (err) => {
        this.options.log.error({ err }, 'the thread for health checks has failed');
        reject(this.failure(err instanceof Error ? err.message : String(err)));
      });
    });
  }

  private async answer(id: number, url: string): Promise<void> {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const found = await statusAnswer(
      this.options.registry,
      path,
      new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    );
    this.send({ kind: 'answer', id, ...found });
  }

  private send(
    message: ToHealthThread | ({ readonly kind: 'answer'; readonly id: number } & PlainAnswer),
  ): void {
    this.worker.postMessage(message);
  }

  private failure(message: string): ServiceError {
    clearInterval(this.timer);
    return new ServiceError(
      'unavailable',
      `Port ${this.options.port} for health checks can not be opened: ${message}`,
    );
  }
}
