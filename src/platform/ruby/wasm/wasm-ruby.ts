/** A Ruby in WebAssembly, in a thread of its own: for machines that have no `ruby`. */

import { Worker } from 'node:worker_threads';
import { FrameReader, frameOf } from '../frames.ts';
import type { RubyIdentity, RubyTransport } from '../ruby.ts';
import { RubyMissing } from '../ruby-errors.ts';
import { ChannelEnd, HOST, newChannelMemory } from './frame-channel.ts';
import type { RubyImages } from './ruby-images.ts';
import { wasmFiles } from './wasm-files.ts';
import type { RubyWorkerData } from './wasm-ruby-worker.ts';

export interface WasmRubyOptions {
  readonly images: RubyImages;
  /** For `require`: the `lib` directories of modules. */
  readonly libraries: readonly string[];
  /** Where files and directories are that code names by another path. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Variables for code that looks at them. */
  readonly environment: Readonly<Record<string, string>>;
  /** How long code may run without asking anything; then the thread is ended. */
  readonly timeoutSeconds: number;
}

/** How long it may take to be there; on a busy machine it may take long. */
const START_TIMEOUT_MS = 60_000;
/** Ruby code that calls deeply finds the end of Ruby's own stack before that of the thread. */
const STACK_MEBIBYTES = 32;

export class WasmRuby implements RubyTransport {
  readonly identity: RubyIdentity;
  private readonly worker: Worker;
  private readonly end: ChannelEnd;
  private readonly reader: FrameReader;
  private readonly timeoutMs: number;
  private deadline = 0;

  /** @throws RubyMissing when it does not start */
  constructor(options: WasmRubyOptions) {
    const { elsewhere = {}, environment, images, libraries, timeoutSeconds } = options;
    this.timeoutMs = timeoutSeconds * 1000;
    const channel = newChannelMemory();
    this.end = new ChannelEnd(channel, HOST);
    this.reader = new FrameReader((target) => this.end.read(target, this.deadline));
    const data: RubyWorkerData = { image: imageOrMissing(images), channel };
    this.worker = new Worker(wasmFiles().rubyWorker, {
      name: 'ruby',
      workerData: data,
      resourceLimits: { stackSizeMb: STACK_MEBIBYTES },
    });
    this.worker.unref();
    this.worker.on('error', () => {
      // The waiting side has been told through the channel.
    });
    this.send(JSON.stringify({ libraries, elsewhere, environment }));
    this.identity = this.readIdentity();
  }

  send(text: string): boolean {
    return this.end.write([frameOf(text)]);
  }

  receive(): string | undefined {
    this.deadline = performance.now() + this.timeoutMs;
    return this.reader.read();
  }

  close(): void {
    this.end.close();
    void this.worker.terminate();
  }

  private readIdentity(): RubyIdentity {
    this.deadline = performance.now() + START_TIMEOUT_MS;
    const text = this.reader.read();
    if (text === undefined) {
      this.close();
      throw new RubyMissing('the built-in one ended as soon as it had started');
    }
    const [, about] = JSON.parse(text) as [string, Pick<RubyIdentity, 'version' | 'description'>];
    const { version, description } = about;
    return { layer: 'L3', id: `thread ${this.worker.threadId}`, pid: undefined, version, description };
  }
}

function imageOrMissing(images: RubyImages): RubyWorkerData['image'] {
  try {
    return images.get();
  } catch (error) {
    throw new RubyMissing(`the built-in one cannot be started (${(error as Error).message})`);
  }
}
