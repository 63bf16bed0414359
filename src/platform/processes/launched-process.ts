/** A program that the launcher has started, as this side sees it. */

import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { LateReadable, LateWritable } from './late-streams.ts';
import { type LauncherAnswer, type SystemError, streamCount } from './launcher-messages.ts';
import type { Ended, ProcessOptions, RunningProcess } from './running-process.ts';

export class LaunchedProcess implements RunningProcess {
  readonly stdin = new LateWritable();
  readonly stdout = new LateReadable();
  readonly stderr = new LateReadable();
  readonly exited: Promise<Ended>;
  readonly ended: Promise<Ended>;
  /** `undefined` until it has begun. */
  pid: number | undefined;
  readonly isOwnGroup: boolean;
  private readonly sendKill: () => void;
  private readonly settle: PromiseWithResolvers<Ended>;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly signal: AbortSignal | undefined;
  private connectedStreams = 0;
  private how: Ended | undefined;
  private isOver = false;
  private hasFailed = false;

  /** @param sendKill - asks the launcher to end it */
  constructor({ isOwnGroup = false, signal, timeoutMs }: ProcessOptions, sendKill: () => void) {
    this.sendKill = sendKill;
    this.isOwnGroup = isOwnGroup;
    this.signal = signal;
    this.settle = Promise.withResolvers<Ended>();
    this.exited = this.settle.promise;
    this.ended = Promise.all([this.exited, closed(this.stdout), closed(this.stderr)]).then(([how]) => how);
    // Callers need not wait: a rejection without a listener must not end the process.
    for (const promise of [this.exited, this.ended]) promise.catch(() => {});
    this.timer = timeoutMs === undefined ? undefined : setTimeout(() => this.kill(), timeoutMs);
    if (signal?.aborted === true) queueMicrotask(this.onAbort);
    else signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  kill(): void {
    if (!this.isOver) this.sendKill();
  }

  /** Takes one of its streams: its number is that of the descriptor. */
  connect(stream: number, socket: Socket): void {
    const target = [this.stdin, this.stdout, this.stderr][stream];
    if (target === undefined) socket.destroy();
    else target.connect(socket);
    this.connectedStreams += 1;
    this.settleWhenDone();
  }

  tell(answer: Exclude<LauncherAnswer, { kind: 'ready' }>): void {
    if (answer.kind === 'started') this.pid = answer.pid;
    else if (answer.kind === 'failed') this.fail(startError(answer.error));
    else this.end({ code: answer.code, signal: answer.signal });
  }

  /** Whether nothing more will come of it. Its end may be known before its streams are: they come another way. */
  get isDone(): boolean {
    return this.hasFailed || (this.isOver && this.connectedStreams >= streamCount);
  }

  /** The launcher is gone, and with it the exit status: the program is ended. */
  orphan(): void {
    if (this.isOver) return;
    if (this.pid !== undefined)
      try {
        process.kill(this.isOwnGroup ? -this.pid : this.pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    this.settle.resolve({ code: null, signal: 'SIGKILL' });
    this.end({ code: null, signal: 'SIGKILL' });
    for (const stream of [this.stdout, this.stderr]) stream.finish();
  }

  private readonly onAbort = () => {
    this.kill();
    this.settle.reject(new DOMException('The operation was aborted', 'AbortError'));
  };

  private end(how: Ended): void {
    this.forget();
    this.how = how;
    this.settleWhenDone();
    // As in Node: output that has no reader when the program ends is dropped.
    for (const stream of [this.stdout, this.stderr]) if (stream.readableFlowing === null) stream.resume();
    this.stdin.destroy();
  }

  /** Its end is reported only after its streams have arrived: what it printed must be readable by then. */
  private settleWhenDone(): void {
    if (this.how !== undefined && this.connectedStreams >= streamCount) this.settle.resolve(this.how);
  }

  private fail(error: Error): void {
    this.forget();
    this.hasFailed = true;
    this.settle.reject(error);
    for (const stream of [this.stdout, this.stderr]) stream.finish();
    this.stdin.destroy();
  }

  private forget(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
  }
}

function closed(stream: LateReadable): Promise<void> {
  return new Promise((resolve) => finished(stream, { writable: false }, () => resolve()));
}

/** As Node makes it for a child of its own. */
function startError({ message, ...fields }: SystemError): Error {
  return Object.assign(new Error(message), fields);
}
