/** The thread that writes, from the outside: takes commands, forgets what is over, migrates. */

import { encodeTimestamp } from '../../../platform/storage/index.ts';
import type { RequestThread } from '../../../platform/threads/index.ts';
import type { CommandReceipt } from '../commands/command-outcome.ts';
import { type CommandHead, headOf, type SentCommand } from '../commands/submission.ts';
import type { ObservedCommand } from '../metrics/command-metrics.ts';
import type { CleanRequest, Lifetimes } from '../store/garbage.ts';
import { type DatabaseThreadOptions, writingThread } from './database-thread.ts';
import type { WriteRequest } from './protocol.ts';

export interface IngestOptions extends DatabaseThreadOptions {
  readonly now: () => Date;
  /** A new UUID for each command. */
  readonly newId: () => string;
  /** Is told of each command that was carried out. */
  readonly observe: (command: ObservedCommand) => void;
}

export class IngestThread {
  private readonly options: IngestOptions;
  private readonly thread: RequestThread<WriteRequest>;
  private inFlight = 0;

  constructor(options: IngestOptions) {
    this.options = options;
    this.thread = writingThread(options);
  }

  /** How many commands have arrived and are not carried out yet. */
  get depth(): number {
    return this.inFlight;
  }

  /** As `PuppetDb.submit`. */
  async submit(command: SentCommand, onlyCertname: string | undefined): Promise<CommandReceipt> {
    return await this.carryOut(headOf(command), command.payload, onlyCertname);
  }

  /** As `PuppetDb.submitOldForm`. */
  async submitOldForm(body: Uint8Array, onlyCertname: string | undefined): Promise<CommandReceipt> {
    return await this.carryOut(undefined, body, onlyCertname);
  }

  async migrate(): Promise<void> {
    await this.thread.ask({ kind: 'migrate' });
  }

  async clean(request: CleanRequest, lifetimes: Lifetimes): Promise<void> {
    const nowMs = this.options.now().getTime();
    await this.thread.ask({ kind: 'garbage', lifetimes, nowMs, request });
  }

  async deleteNode(certname: string): Promise<void> {
    await this.thread.ask({ kind: 'delete-node', certname });
  }

  /** Lets everything that was asked before finish. */
  async close(): Promise<void> {
    await this.thread.close();
  }

  private async carryOut(
    head: CommandHead | undefined,
    sent: Uint8Array,
    onlyCertname: string | undefined,
  ): Promise<CommandReceipt> {
    const { newId, now, observe } = this.options;
    const body = ownBytes(sent);
    const bytes = body.length;
    const began = performance.now();
    const command = { id: newId(), head, body, received: encodeTimestamp(now()), onlyCertname };
    this.inFlight++;
    let receipt: CommandReceipt;
    try {
      receipt = (await this.thread.ask({ kind: 'submit', command }, [body.buffer])) as CommandReceipt;
    } finally {
      this.inFlight--;
    }
    observe({ ...receipt, bytes, durationMs: performance.now() - began });
    return receipt;
  }
}

/** Bytes that can be handed over: alone in their memory. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
