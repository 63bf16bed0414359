/** A Ruby beside this thread: calls into it block, and are answered or end with an error. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { FrameReader, writeFrame } from './frames.ts';
import { openPipes, type Pipes } from './pipes.ts';
import { RubyDied, RubyError, RubyMissing } from './ruby-errors.ts';

export interface RubyOptions {
  /** Tried in this order; a name without a slash is looked for on the path. */
  readonly commands: readonly string[];
  /** Where the Ruby side lies. */
  readonly shim: string;
  /** For `require`: the `lib` directories of modules. */
  readonly libraries: readonly string[];
  /** How long code may run without asking anything; then the process is ended. */
  readonly timeoutSeconds: number;
  /** Address space; 0 for no limit. */
  readonly memoryBytes: number;
}

/** Who answers what Ruby asks while it is being called. Answers are JSON. */
export interface RubyPeer {
  answer(question: string, args: readonly unknown[]): string;
  /** What Ruby is told of something that `answer` threw: `CLASS, MESSAGE, ID, OBJECT` as JSON, without brackets. */
  refuse(error: unknown): string;
}

export interface RubyIdentity {
  readonly pid: number;
  /** `3.1.2` */
  readonly version: string;
  /** `ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]` */
  readonly description: string;
}

/** The usual places: the path, then that of agents. */
export const DEFAULT_COMMANDS: readonly string[] = ['ruby', '/opt/puppetlabs/puppet/bin/ruby'];

export class RubyProcess {
  readonly identity: RubyIdentity;
  private readonly child: ChildProcess;
  private readonly reader: FrameReader;
  private readonly readDescriptor: number;
  private readonly writeDescriptor: number;
  private readonly timeoutMs: number;
  private isOpen = true;

  /** @throws RubyMissing when none of the commands starts */
  constructor(options: RubyOptions) {
    const pipes = pipesOrMissing();
    this.readDescriptor = pipes.read;
    this.writeDescriptor = pipes.write;
    this.reader = new FrameReader(pipes.read);
    this.timeoutMs = options.timeoutSeconds * 1000;
    const child = startFirst(options, pipes.childRead, pipes.childWrite);
    closeSync(pipes.childRead);
    closeSync(pipes.childWrite);
    if (child === undefined) {
      this.closeDescriptors();
      throw new RubyMissing(`there is no ${options.commands.join(' and no ')}`);
    }
    this.child = child;
    this.identity = this.readIdentity();
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
    const began = performance.now();
    this.send(`["call",${call}]`, began);
    for (;;) {
      const since = performance.now();
      const frame = this.receive(since);
      switch (frame[0]) {
        case 'ret':
          return frame[1];
        case 'err':
          throw new RubyError(frame);
        default:
          this.send(this.answerFrame(frame, peer), since);
      }
    }
  }

  /** Ends the process at once. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.child.kill('SIGKILL');
    this.closeDescriptors();
  }

  private readIdentity(): RubyIdentity {
    const text = this.reader.read();
    if (text === undefined) {
      this.close();
      throw new RubyMissing('it ended as soon as it had started');
    }
    const [, about] = JSON.parse(text) as [string, RubyIdentity];
    return about;
  }

  private answerFrame(frame: readonly unknown[], peer: RubyPeer): string {
    try {
      return `["ret",${peer.answer(String(frame[1]), frame.slice(2))}]`;
    } catch (error) {
      // Ruby has died of a call within: nobody is left to be told.
      if (!this.isOpen) throw error;
      return `["err",${peer.refuse(error)}]`;
    }
  }

  private send(text: string, since: number): void {
    if (!this.isOpen) throw this.death(since);
    try {
      writeFrame(this.writeDescriptor, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      throw this.death(since);
    }
  }

  private receive(since: number): readonly unknown[] {
    const text = this.isOpen ? this.reader.read() : undefined;
    if (text === undefined) throw this.death(since);
    return JSON.parse(text) as readonly unknown[];
  }

  private death(since: number): RubyDied {
    this.close();
    return new RubyDied(performance.now() - since >= this.timeoutMs);
  }

  private closeDescriptors(): void {
    closeSync(this.readDescriptor);
    closeSync(this.writeDescriptor);
  }
}

/** A machine on which there can be no pipes is one without Ruby. */
function pipesOrMissing(): Pipes {
  try {
    return openPipes();
  } catch (error) {
    throw new RubyMissing(`no pipes to it can be made (${(error as Error).message})`);
  }
}

/** The first command that can be started. */
function startFirst(options: RubyOptions, read: number, write: number): ChildProcess | undefined {
  const { libraries, memoryBytes, shim, timeoutSeconds } = options;
  const args = [
    '--disable=gems',
    '--disable=rubyopt',
    '-E',
    'UTF-8',
    join(shim, 'main.rb'),
    '3',
    '4',
    String(timeoutSeconds),
    String(memoryBytes),
    ...libraries,
  ];
  for (const command of options.commands) {
    // What code prints must not get between our messages.
    const child = spawn(command, args, { stdio: ['ignore', 2, 2, read, write], cwd: '/' });
    child.on('error', () => {
      // Without a process id it has not started, which is seen below; later there is nothing to be told of.
    });
    if (child.pid === undefined) continue;
    child.unref();
    return child;
  }
  return undefined;
}
