/**
 * A PXP agent that runs nothing but behaves as a real one does towards brokers and the orchestrator: a list of brokers, the pauses
 * between attempts, pings, a spool, status queries. An answer that finds no connection is lost.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialWebSocket, type WebSocketConnection } from '../../src/platform/websocket/index.ts';
import { watchSilence } from '../../src/services/broker/watch-silence.ts';
import type { ActionJournal } from './action-journal.ts';

export interface PxpAgentOptions {
  readonly certname: string;
  /** PEM, as the two below. */
  readonly ca: string;
  readonly certificate: string;
  readonly privateKey: string;
  /** `wss://host:8142/pcp2/agent`, in the order in which they are tried. */
  readonly brokers: readonly string[];
  readonly journal: ActionJournal;
  /** The longest action. */
  readonly longestMs: number;
  readonly signal: AbortSignal;
}

interface Request {
  readonly transaction_id: string;
  readonly module: string;
  readonly action: string;
  readonly params?: { readonly transaction_id?: string; readonly input?: { readonly token?: unknown } };
}

interface Envelope {
  readonly message_type: string;
  readonly sender?: string;
  readonly data?: Request;
}

/** `end` is absent while it runs. */
interface SpoolEntry {
  end?: { readonly exitcode: number; readonly stdout: string };
}

/** A real agent pings every two minutes unless it is told otherwise, and gives up after three pongs that did not come. */
const keepAlive = { pingMs: 5000, silenceMs: 15_000 };
const attemptMs = 5000;
const againMs = 200;
const firstWaitMs = 2000;
const longestWaitMs = 32_000;
const failing = 0.2;
const atOnce = 0.3;
const prefix = 'http://puppetlabs.com/';

export class SimulatedPxpAgent {
  private readonly options: PxpAgentOptions;
  private readonly spool = new Map<string, SpoolEntry>();
  private connection: WebSocketConnection | undefined;
  private running = 0;

  constructor(options: PxpAgentOptions) {
    this.options = options;
  }

  /** Whether an action runs. */
  get isBusy(): boolean {
    return this.running > 0;
  }

  /** Stays connected until the signal. */
  async run(): Promise<void> {
    const { brokers, signal } = this.options;
    let [index, waitMs] = [0, firstWaitMs];
    while (!signal.aborted) {
      const began = performance.now();
      const url = brokers[index % brokers.length] ?? '';
      if (await this.stay(url)) {
        waitMs = firstWaitMs;
        await this.pause(againMs);
        continue;
      }
      // A failed attempt takes its time even when it is refused at once.
      await this.pause(attemptMs - (performance.now() - began));
      index += 1;
      await this.pause(waitMs - 500 + Math.random() * 1000);
      waitMs = Math.min(longestWaitMs, waitMs * 2);
    }
  }

  /** @returns whether there was a connection, which has ended then */
  private async stay(url: string): Promise<boolean> {
    const { ca, certificate, privateKey, signal } = this.options;
    const closed = Promise.withResolvers<void>();
    const opened = await dialWebSocket(
      { url, ca, certificate, privateKey, maxMessageBytes: 2 ** 25, timeoutMs: attemptMs, signal },
      (connection) => this.open(connection, () => closed.resolve()),
    ).catch(() => undefined);
    if (opened === undefined) return false;
    const abort = () => opened.cut();
    signal.addEventListener('abort', abort, { once: true });
    await closed.promise;
    signal.removeEventListener('abort', abort);
    return true;
  }

  private open(connection: WebSocketConnection, onClosed: () => void) {
    this.connection = connection;
    const watch = watchSilence(connection, keepAlive);
    return {
      message: (text: string | Buffer) => this.take(JSON.parse(String(text)) as Envelope),
      closed: () => {
        watch.stop();
        if (this.connection === connection) this.connection = undefined;
        onClosed();
      },
    };
  }

  private take({ data, message_type: type, sender }: Envelope): void {
    if (data === undefined || sender === undefined) return;
    if (type === `${prefix}rpc_non_blocking_request`) this.start(data, sender);
    else if (type === `${prefix}rpc_blocking_request`) this.answerAtOnce(data, sender);
  }

  private start({ params, transaction_id: id }: Request, sender: string): void {
    const provisional = () => this.send(sender, 'rpc_provisional_response', { transaction_id: id });
    if (this.spool.has(id)) {
      provisional();
      return;
    }
    const { certname, journal, longestMs } = this.options;
    const entry: SpoolEntry = {};
    this.spool.set(id, entry);
    this.running += 1;
    const token = String(params?.input?.token);
    journal.start({ certname, transactionId: id, token, startedAt: Date.now() });
    const finish = () => {
      this.running -= 1;
      const exitcode = Math.random() < failing ? 1 : 0;
      entry.end = { exitcode, stdout: JSON.stringify({ ran: id }) };
      journal.end({ certname, transactionId: id, at: Date.now(), exitCode: exitcode });
      this.send(sender, 'rpc_non_blocking_response', { transaction_id: id, results: entry.end });
    };
    // Something quick ends before its provisional response.
    if (Math.random() < atOnce) finish();
    else setTimeout(finish, Math.random() * longestMs);
    provisional();
  }

  private answerAtOnce({ module, params, transaction_id: id }: Request, sender: string): void {
    const asked = params?.transaction_id ?? '';
    if (module === 'status')
      this.send(sender, 'rpc_blocking_response', {
        transaction_id: id,
        results: { transaction_id: asked, ...statusOf(this.spool.get(asked)) },
      });
    else
      this.send(sender, 'rpc_error_message', {
        transaction_id: id,
        id: randomUUID(),
        description: `unknown module: ${module}`,
      });
  }

  private send(target: string, kind: string, data: object): void {
    const sender = `pcp://${this.options.certname}/agent`;
    const message = { id: randomUUID(), message_type: prefix + kind, target, sender, data };
    this.connection?.send(JSON.stringify(message));
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(Math.max(0, milliseconds), undefined, { signal: this.options.signal }).catch(() => {
      // stopped: the loop sees that
    });
  }
}

function statusOf(entry: SpoolEntry | undefined): object {
  if (entry === undefined) {
    const error = {
      kind: 'puppetlabs.pxp-agent/execution-error',
      details: {},
      msg: 'found no results directory',
    };
    return { status: 'unknown', stdout: JSON.stringify({ _error: error }) };
  }
  if (entry.end === undefined) return { status: 'running' };
  return { status: entry.end.exitcode === 0 ? 'success' : 'failure', ...entry.end };
}
