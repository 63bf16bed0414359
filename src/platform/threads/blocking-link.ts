/** Synchronous requests between threads: the sender blocks until the receiver, which runs an event loop, has replied. */

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** The sender's end. Pass it in `workerData`, and `port` in `transferList` as well. */
export interface BlockingLink {
  readonly port: MessagePort;
  /** One number, which is 1 when the answer has been sent. */
  readonly signal: Int32Array<SharedArrayBuffer>;
}

/**
 * Serves one sender.
 *
 * @param answer - must not reject: the sender would block until it is terminated
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
  // The link alone must not keep the process running.
  port1.unref();
  return { port: port2, signal };
}

/** Sends a request and blocks. @returns `undefined` when no reply came */
export function askBlocking<Q, A>({ port, signal }: BlockingLink, question: Q): A | undefined {
  Atomics.store(signal, 0, 0);
  port.postMessage(question);
  Atomics.wait(signal, 0, 0);
  return receiveMessageOnPort(port)?.message as A | undefined;
}
