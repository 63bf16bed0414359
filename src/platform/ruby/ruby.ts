/** A Ruby beside this thread: calls into it block, and are answered or end with an error. */

import { RubyDied, RubyError } from './ruby-errors.ts';

/** Who answers what Ruby asks while it is being called. Answers are JSON. */
export interface RubyPeer {
  answer(question: string, args: readonly unknown[]): string;
  /** What Ruby is told of something that `answer` threw: `CLASS, MESSAGE, ID, OBJECT` as JSON, without brackets. */
  refuse(error: unknown): string;
}

export interface RubyIdentity {
  /** L2: a process of the machine's Ruby; L3: WebAssembly in a thread of ours. */
  readonly layer: 'L2' | 'L3';
  /** Unlike that of any other that runs: `process 4711`, `thread 5`. */
  readonly id: string;
  /** Of the process; `undefined` where Ruby is none of its own. */
  readonly pid: number | undefined;
  /** `3.1.2` */
  readonly version: string;
  /** `ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]` */
  readonly description: string;
}

/** How messages get to one Ruby and back. The two sides take turns. */
export interface RubyTransport {
  readonly identity: RubyIdentity;
  /** @returns false when Ruby has gone */
  send(text: string): boolean;
  /** Waits for the next message. @returns `undefined` when Ruby has gone, or had to be ended */
  receive(): string | undefined;
  /** Ends Ruby at once. */
  close(): void;
}

export class Ruby {
  private readonly transport: RubyTransport;
  private readonly timeoutMs: number;
  private isOpen = true;

  /** @param timeoutSeconds - after which the transport or Ruby itself ends code that asks nothing */
  constructor(transport: RubyTransport, timeoutSeconds: number) {
    this.transport = transport;
    this.timeoutMs = timeoutSeconds * 1000;
  }

  get identity(): RubyIdentity {
    return this.transport.identity;
  }

  get isAlive(): boolean {
    return this.isOpen;
  }

  /**
   * Calls Ruby, answering what it asks meanwhile. Calls may be nested in answers.
   *
   * @param call - the elements of the call, as JSON without brackets: `"render",1,2,...`
   * @throws RubyError, RubyDied; whatever `peer.refuse` throws
   */
  call(call: string, peer: RubyPeer): unknown {
    // Before it is sent: Ruby's time may begin long before this thread goes on.
    let since = performance.now();
    this.send(`["call",${call}]`, since);
    for (;;) {
      const frame = this.receive(since);
      switch (frame[0]) {
        case 'ret':
          return frame[1];
        case 'err':
          throw new RubyError(frame);
        default: {
          const answer = this.answerFrame(frame, peer);
          since = performance.now();
          this.send(answer, since);
        }
      }
    }
  }

  /** Ends Ruby at once. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.transport.close();
  }

  private answerFrame(frame: readonly unknown[], peer: RubyPeer): string {
    try {
      return `["ret",${peer.answer(String(frame[1]), frame.slice(2))}]`;
    } catch (error) {
      // Ruby has died of a call within: there is no process left to answer.
      if (!this.isOpen) throw error;
      return `["err",${peer.refuse(error)}]`;
    }
  }

  private send(text: string, since: number): void {
    if (!this.isOpen || !this.transport.send(text)) throw this.death(since);
  }

  private receive(since: number): readonly unknown[] {
    const text = this.isOpen ? this.transport.receive() : undefined;
    if (text === undefined) throw this.death(since);
    return JSON.parse(text) as readonly unknown[];
  }

  private death(since: number): RubyDied {
    this.close();
    return new RubyDied(performance.now() - since >= this.timeoutMs);
  }
}
