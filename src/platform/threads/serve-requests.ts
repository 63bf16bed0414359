/** The thread's side of a `RequestThread`. */

import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { encodeFailure } from './failure-message.ts';
import type { FromThread, ToThread } from './messages.ts';
import { newReading, PartStream, type Reading, sendParts } from './part-stream.ts';

/** A request and the ways to answer it. */
export class Incoming<Request> {
  readonly request: Request;
  private readonly id: number;
  private readonly connection: Connection;

  constructor(request: Request, id: number, connection: Connection) {
    this.request = request;
    this.id = id;
    this.connection = connection;
  }

  reply(value: unknown): void {
    this.connection.send({ kind: 'done', id: this.id, value });
  }

  refuse(error: unknown): void {
    this.connection.send({ kind: 'failure', id: this.id, failure: encodeFailure(error) });
  }

  /** Answers with what `work` resolves to, which may be a `PartStream`, or rejects with. Resolves when all has been sent. */
  async answer(work: Promise<unknown>): Promise<void> {
    try {
      const value = await work;
      if (value instanceof PartStream) await this.connection.stream(this.id, value);
      else this.reply(value);
    } catch (error) {
      this.refuse(error);
    }
  }
}

export interface RequestServer<Request> {
  /** @param next - gives the next request that has arrived already: requests can be taken together */
  take(incoming: Incoming<Request>, next: () => Incoming<Request> | undefined): void;
  /** Called once, when nothing is asked any more. */
  close?(): void | Promise<void>;
}

/** Serves what the `RequestThread` asks that started this file. */
export function serveRequests<Request>(server: RequestServer<Request>): void {
  if (parentPort !== null) new Connection(parentPort).serve(server);
}

/** Sends a message that is not a reply. @param transferred - parts of it that the receiver owns from now on */
export function notify(notice: unknown, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage({ kind: 'notice', notice } satisfies FromThread, transferred);
}

class Connection {
  private readonly port: MessagePort;
  private readonly readings = new Map<number, Reading>();

  constructor(port: MessagePort) {
    this.port = port;
  }

  serve<Request>(server: RequestServer<Request>): void {
    let closing: number | undefined;
    const open = (message: ToThread): Incoming<Request> | undefined => {
      if (message.kind === 'request') return new Incoming(message.request as Request, message.id, this);
      if (message.kind === 'close') closing = message.id;
      else this.adjust(message);
      return undefined;
    };
    const next = (): Incoming<Request> | undefined => {
      const received = receiveMessageOnPort(this.port)?.message as ToThread | undefined;
      return received === undefined ? undefined : (open(received) ?? next());
    };
    this.port.on('message', (message: ToThread) => {
      const incoming = open(message);
      if (incoming !== undefined) server.take(incoming, next);
      // What was taken together with it comes first.
      if (closing !== undefined) void this.close(closing, server);
    });
  }

  send(message: FromThread, transferred: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(message, transferred);
  }

  async stream(id: number, { body, head }: PartStream): Promise<void> {
    const reading = newReading();
    this.readings.set(id, reading);
    this.send({ kind: 'stream', id, head });
    try {
      await sendParts(id, body, reading, (message, transferred) => this.send(message, transferred));
      this.send({ kind: 'end', id });
    } finally {
      this.readings.delete(id);
    }
  }

  /** The reader of an answer in parts has read one, or has left. */
  private adjust({ id, kind }: Extract<ToThread, { kind: 'more' | 'cancel' }>): void {
    const reading = this.readings.get(id);
    if (reading === undefined) return;
    if (kind === 'cancel') reading.isCancelled = true;
    else reading.room++;
    reading.wake();
  }

  private async close<Request>(id: number, server: RequestServer<Request>): Promise<void> {
    try {
      await server.close?.();
      this.send({ kind: 'done', id, value: null });
      this.port.close();
    } catch (error) {
      this.send({ kind: 'failure', id, failure: encodeFailure(error) });
    }
  }
}
