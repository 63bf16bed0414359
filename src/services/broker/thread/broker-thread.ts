/** A broker in a thread of its own, as the main thread sees it. A thread that dies is replaced. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../lib/service-error.ts';
import type { RevokedByIssuer, TlsMaterial } from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { RequestThread } from '../../../platform/threads/index.ts';
import type { BrokerEvents } from '../controller/agent-controller.ts';
import { MessageTurns } from './message-turns.ts';
import type {
  BrokerMetrics,
  BrokerNotice,
  BrokerRequest,
  BrokerState,
  BrokerThreadOptions,
  ControllerNames,
  RulesFile,
} from './thread-messages.ts';

/** A controller in this process: it hears what the broker sends, and that the broker has begun anew. */
export interface LocalController extends ControllerNames {
  /** @returns hears what the broker sends and, when its thread has died, that it is lost */
  connected(send: (text: string) => void): BrokerEvents;
}

const restartPauseMs = 1000;
/** The thread is told at least after so much that it was taken. */
const takenBytes = 1024 * 1024;

export class BrokerThread {
  private readonly log: Logger;
  private readonly thread: RequestThread<BrokerRequest>;
  private options: BrokerThreadOptions;
  private latest: BrokerState = { state: 'starting', connections: 0, controllers: [] };
  private controller: LocalController | undefined;
  private link: ReturnType<LocalController['connected']> | undefined;
  private readonly turns = new MessageTurns((data) => this.hear(data));
  private taken = 0;
  private isServing = false;
  private isStopping = false;
  private lists: readonly RevokedByIssuer[] | undefined;
  private onListening: ((port: number) => void) | undefined;

  constructor(workerUrl: URL, options: BrokerThreadOptions, log: Logger) {
    this.options = options;
    this.log = log;
    this.thread = new RequestThread<BrokerRequest>({
      start: () => new Worker(workerUrl, { name: 'broker' }),
      lost: (cause) => new Error('The thread of the broker has ended', { cause }),
      closed: () => new ServiceError('unavailable', 'The broker has stopped'),
      onNotice: (notice) => this.take(notice as BrokerNotice),
    });
  }

  get state(): BrokerState {
    return this.latest;
  }

  /** @returns `undefined` while the thread starts again */
  async metrics(): Promise<BrokerMetrics | undefined> {
    if (!this.isServing) return undefined;
    return (await this.thread.ask({ kind: 'metrics' }).catch(() => undefined)) as BrokerMetrics | undefined;
  }

  /** @returns the port that is listened on @throws ServiceError `unavailable` when it cannot be opened */
  async listen(): Promise<number> {
    const opened = new Promise<number>((resolve) => (this.onListening = resolve));
    const ended = this.serve();
    const port = await Promise.race([opened, ended.then(() => undefined)]);
    if (port === undefined) throw new ServiceError('unavailable', 'The broker has stopped');
    // One that starts again takes the same port.
    this.options = { ...this.options, port };
    void this.keepServing(ended);
    return port;
  }

  reloadTls(material: TlsMaterial): void {
    this.options = { ...this.options, tls: material };
    this.lists = undefined;
    this.tell({ kind: 'tls', material });
  }

  setRevocationLists(lists: readonly RevokedByIssuer[]): void {
    this.lists = lists;
    this.tell({ kind: 'lists', lists });
  }

  setRules(rules: RulesFile | undefined): void {
    this.options = { ...this.options, rules };
    this.tell({ kind: 'rules', rules });
  }

  /** Connects a controller of this process, now and whenever the thread starts anew. */
  attach(controller: LocalController): void {
    this.controller = controller;
    if (this.isServing) this.connectController();
  }

  /** Sends clients away, and accepts no new ones. */
  async retire(withinMs: number): Promise<void> {
    if (this.isServing) await this.thread.ask({ kind: 'retire', withinMs }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.latest = { ...this.latest, state: 'stopping' };
    if (this.isServing) await this.thread.ask({ kind: 'stop' }).catch(() => undefined);
    this.loseController();
    await this.thread.stop();
  }

  /** Resolves when the broker has stopped; rejects when its thread dies, or cannot listen. */
  private async serve(): Promise<void> {
    this.isServing = true;
    const ended = this.thread.ask({ kind: 'serve', options: this.options });
    if (this.lists !== undefined) this.tell({ kind: 'lists', lists: this.lists });
    if (this.controller !== undefined) this.connectController();
    try {
      await ended;
    } finally {
      this.isServing = false;
      this.loseController();
    }
  }

  private async keepServing(first: Promise<void>): Promise<void> {
    for (let ended = first; ; ended = this.serve()) {
      try {
        await ended;
        return;
      } catch (err) {
        if (this.isStopping) return;
        this.latest = { state: 'starting', connections: 0, controllers: [] };
        this.log.error({ err }, 'the thread of the broker has ended; it starts again');
        await sleep(restartPauseMs);
        if (this.isStopping) return;
      }
    }
  }

  private connectController(): void {
    const { controller } = this;
    if (controller === undefined) return;
    this.loseController();
    const { aliases, uri } = controller;
    this.tell({ kind: 'attach', controller: { uri, aliases } });
    this.taken = 0;
    this.link = controller.connected((text) => this.tell({ kind: 'message', text }));
  }

  private loseController(): void {
    this.turns.clear();
    this.link?.lost();
    this.link = undefined;
  }

  private take(notice: BrokerNotice): void {
    switch (notice.kind) {
      case 'listening':
        this.onListening?.(notice.port);
        break;
      case 'log':
        this.log[notice.level](notice.fields, notice.message);
        break;
      case 'message':
        this.turns.add(notice.data);
        break;
      case 'state':
        if (!this.isStopping) this.latest = notice;
        break;
      default:
        notice satisfies never;
    }
  }

  private hear(data: string | Uint8Array): void {
    const { link } = this;
    const { length } = data;
    const reading = link?.message(data);
    if (reading === undefined) this.countTaken(length);
    else
      void reading.then(() => {
        // The next thread counts from 0.
        if (this.link === link) this.countTaken(length);
      });
  }

  private countTaken(bytes: number): void {
    this.taken += bytes;
    if (this.taken < takenBytes) return;
    this.tell({ kind: 'taken', bytes: this.taken });
    this.taken = 0;
  }

  /** What a thread that has ended does not hear, the next one is told at its start. */
  private tell(request: BrokerRequest): void {
    if (!this.isServing) return;
    this.thread.ask(request).catch((err: unknown) => this.log.debug({ err }, 'the broker was not told'));
  }
}
