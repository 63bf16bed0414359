/**
 * Questions to PuppetDB in the middle of a compile: the worker waits without an event loop, the main thread asks. The
 * worker's end of the compile's time ends the wait, too: its thread is ended.
 */

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import type { PuppetDbTerminus } from './termini.ts';

/** What goes to a worker, in its data and in the transfer list. */
export interface PuppetDbLink {
  readonly port: MessagePort;
  /** One number, which is 1 when the answer has been sent. */
  readonly signal: Int32Array<SharedArrayBuffer>;
  /** Whether resources are exported and collected. */
  readonly collectsExported: boolean;
}

/** The query is JSON: the AST of resources, or what `puppetdb_query` was given. */
export interface PuppetDbQuestion {
  readonly kind: 'resources' | 'query';
  readonly query: string;
}

export type PuppetDbAnswer =
  | { readonly kind: 'rows'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

/** In the main thread, for one worker. What is under way is given up when the worker ends. */
export function connectPuppetDb(terminus: PuppetDbTerminus): PuppetDbLink {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const ended = new AbortController();
  port1.on('message', (question: PuppetDbQuestion) => {
    void answer(terminus, question, ended.signal).then((message) => {
      port1.postMessage(message);
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
  port1.on('close', () => ended.abort());
  // A worker that may ask is no reason to go on.
  port1.unref();
  return { port: port2, signal, collectsExported: terminus.findResources !== undefined };
}

/** The worker waits for whatever becomes of it, bugs included. */
async function answer(
  terminus: PuppetDbTerminus,
  { kind, query }: PuppetDbQuestion,
  signal: AbortSignal,
): Promise<PuppetDbAnswer> {
  try {
    const ask = kind === 'resources' ? terminus.findResources : terminus.query;
    return { kind: 'rows', text: (await ask?.(query, signal)) ?? '[]' };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** In the worker: waits for the rows, as JSON text. @throws ServiceError in the words that the compile fails with */
export function askPuppetDb(
  { port, signal }: Pick<PuppetDbLink, 'port' | 'signal'>,
  question: PuppetDbQuestion,
): string {
  Atomics.store(signal, 0, 0);
  port.postMessage(question);
  Atomics.wait(signal, 0, 0);
  const received = receiveMessageOnPort(port)?.message as PuppetDbAnswer | undefined;
  if (received?.kind === 'rows') return received.text;
  throw new ServiceError('unavailable', received?.message ?? 'PuppetDB gave no answer');
}
