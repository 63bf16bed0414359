/**
 * One image for all workers of a process, made in a thread of its own when the first of them asks. Workers wait for it
 * without an event loop; who gives it to them has to have one.
 */

import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { DEFAULT_MEMORY_BYTES } from '../ruby-process.ts';
import type { RubyImage } from './ruby-image.ts';
import type { RubyImages } from './ruby-images.ts';
import { wasmFiles } from './wasm-files.ts';

/** What goes to a worker, in its data and in the transfer list. */
export interface ImageRequests {
  readonly port: MessagePort;
  /** One number, which is 1 when the answer has been sent. */
  readonly signal: Int32Array<SharedArrayBuffer>;
}

export type ImageAnswer =
  | { readonly kind: 'image'; readonly image: RubyImage }
  | { readonly kind: 'failed'; readonly message: string };

export class ImageMaker {
  private readonly memoryBytes: number;
  private answer: Promise<ImageAnswer> | undefined;

  /** @param memoryBytes - what one instance may have */
  constructor(memoryBytes: number = DEFAULT_MEMORY_BYTES) {
    this.memoryBytes = memoryBytes;
  }

  /** For one worker. */
  connect(): ImageRequests {
    const { port1, port2 } = new MessageChannel();
    const signal = new Int32Array(new SharedArrayBuffer(4));
    port1.on('message', () => void this.serve(port1, signal));
    // A worker that may ask is no reason to go on.
    port1.unref();
    return { port: port2, signal };
  }

  private async serve(port: MessagePort, signal: Int32Array<SharedArrayBuffer>): Promise<void> {
    this.answer ??= makeInThread(this.memoryBytes);
    port.postMessage(await this.answer);
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  }
}

function makeInThread(memoryBytes: number): Promise<ImageAnswer> {
  return new Promise((resolve) => {
    const worker = new Worker(wasmFiles().imageWorker, { name: 'ruby image', workerData: memoryBytes });
    const fail = (error: Error) => resolve({ kind: 'failed', message: error.message });
    worker.on('message', (image: RubyImage) => resolve({ kind: 'image', image }));
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread ended')));
  });
}

/** In the worker. */
export class RequestedImages implements RubyImages {
  private readonly requests: ImageRequests;
  private known: RubyImage | undefined;

  constructor(requests: ImageRequests) {
    this.requests = requests;
  }

  get(): RubyImage {
    this.known ??= this.request();
    return this.known;
  }

  private request(): RubyImage {
    const { port, signal } = this.requests;
    Atomics.store(signal, 0, 0);
    port.postMessage('image');
    Atomics.wait(signal, 0, 0);
    const received = receiveMessageOnPort(port)?.message as ImageAnswer | undefined;
    if (received?.kind !== 'image') throw new Error(received?.message ?? 'no answer');
    return received.image;
  }
}
