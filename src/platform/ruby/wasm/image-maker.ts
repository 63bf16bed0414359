/**
 * One image for all workers of a process, made in a thread of its own when the first of them asks. Workers wait for it
 * without an event loop; who gives it to them has to have one.
 */

import { answerBlocking, askBlocking, type BlockingLink, runOnce } from '../../threads/index.ts';
import { DEFAULT_MEMORY_BYTES } from '../ruby-process.ts';
import type { RubyImage } from './ruby-image.ts';
import type { RubyImages } from './ruby-images.ts';
import { wasmFiles } from './wasm-files.ts';

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
  connect(): BlockingLink {
    return answerBlocking(() => {
      this.answer ??= makeInThread(this.memoryBytes);
      return this.answer;
    });
  }
}

async function makeInThread(memoryBytes: number): Promise<ImageAnswer> {
  try {
    const image = await runOnce<RubyImage>({
      workerUrl: wasmFiles().imageWorker,
      name: 'ruby image',
      data: memoryBytes,
      onEnded: () => new Error('the thread ended'),
    });
    return { kind: 'image', image };
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  }
}

/** In the worker. */
export class RequestedImages implements RubyImages {
  private readonly requests: BlockingLink;
  private known: RubyImage | undefined;

  constructor(requests: BlockingLink) {
    this.requests = requests;
  }

  get(): RubyImage {
    this.known ??= this.request();
    return this.known;
  }

  private request(): RubyImage {
    const received = askBlocking<'image', ImageAnswer>(this.requests, 'image');
    if (received?.kind !== 'image') throw new Error(received?.message ?? 'no answer');
    return received.image;
  }
}
