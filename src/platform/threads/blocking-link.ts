/** Questions of a thread without an event loop: it blocks until the thread on the other side, which has one, has answered. */

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** The asking end: goes to the thread in its data, the port also in the list of what is transferred. */
export interface BlockingLink {
  readonly port: MessagePort;
  /** One number, which is 1 when the answer has been sent. */
  readonly signal: Int32Array<SharedArrayBuffer>;
}

/**
 * The answering end, for one thread that asks.
 *
 * @param answer - must not reject: the other side would wait until it is ended
 */
export function answerBlocking<Q, A>(answer: (question: Q, ended: AbortSignal) => Promise<A>): BlockingLink {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const ended = new AbortController();
  port1.on('message', (question: Q) => {
    void answer(question, ended.signal).then((message) => {
      port1.postMessage(message);
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  port1.on('close', () => ended.abort());
  // A thread that may ask keeps no process alive.
  port1.unref();
  return { port: port2, signal };
}

/** Asks and blocks. @returns `undefined` when there was no answer */
export function askBlocking<Q, A>({ port, signal }: BlockingLink, question: Q): A | undefined {
  Atomics.store(signal, 0, 0);
  port.postMessage(question);
  Atomics.wait(signal, 0, 0);
  return receiveMessageOnPort(port)?.message as A | undefined;
}
