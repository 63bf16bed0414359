/** A `ruby` of this machine in a process of its own, reached over two pipes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { FrameReader, frameOf } from './frames.ts';
import { openPipes, type Pipes } from './pipes.ts';
import type { RubyIdentity, RubyTransport } from './ruby.ts';
import { RubyMissing } from './ruby-errors.ts';

export interface RubyProcessOptions {
  /** Tried in this order; a name without a slash is looked for on the path. */
  readonly commands: readonly string[];
  /** Where the Ruby side lies. */
  readonly shim: string;
  /** For `require`: the `lib` directories of modules. */
  readonly libraries: readonly string[];
  /** The directory of the installation's own gems (a GEM_HOME), present or not; absent where there can be none. */
  readonly gems?: string;
  /** Where files and directories are that code names by another path. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** How long code may run without asking anything; then the process is ended. */
  readonly timeoutSeconds: number;
  /** Address space; 0 for no limit. */
  readonly memoryBytes: number;
}

/** What code of one environment may have, whichever Ruby runs it. */
export const DEFAULT_MEMORY_BYTES = 2 ** 30;

export const DEFAULT_TIMEOUT_SECONDS = 30;

/** What Ruby says of itself first of all. */
type RubyAbout = { readonly pid: number } & Pick<RubyIdentity, 'version' | 'description'>;

/** The usual places: the path, then that of agents. */
export const DEFAULT_COMMANDS: readonly string[] = ['ruby', '/opt/puppetlabs/puppet/bin/ruby'];

export class RubyProcess implements RubyTransport {
  readonly identity: RubyIdentity;
  private readonly child: ChildProcess;
  private readonly reader: FrameReader;
  private readonly readDescriptor: number;
  private readonly writeDescriptor: number;

  /** @throws RubyMissing when none of the commands starts */
  constructor(options: RubyProcessOptions) {
    const pipes = pipesOrMissing();
    this.readDescriptor = pipes.read;
    this.writeDescriptor = pipes.write;
    this.reader = new FrameReader((target) => readSync(pipes.read, target));
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

  send(text: string): boolean {
    try {
      const frame = frameOf(text);
      let written = 0;
      while (written < frame.length) written += writeSync(this.writeDescriptor, frame, written);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      return false;
    }
  }

  receive(): string | undefined {
    return this.reader.read();
  }

  close(): void {
    const { exitCode, pid, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) killRuby(pid);
    this.closeDescriptors();
  }

  private readIdentity(): RubyIdentity {
    const text = this.reader.read();
    if (text === undefined) {
      this.close();
      throw new RubyMissing('it ended as soon as it had started', true);
    }
    const [, about] = JSON.parse(text) as [string, RubyAbout];
    // A command that only starts another leads the group, too.
    return { layer: 'L2', id: `process ${about.pid}`, ...about, pid: this.child.pid ?? about.pid };
  }

  private closeDescriptors(): void {
    closeSync(this.readDescriptor);
    closeSync(this.writeDescriptor);
  }
}

/**
 * Ends it, with the commands that code has started: they are of its group. One that has ended is no mistake.
 *
 * @param pid - of the Ruby; no other process may have got it since
 */
export function killRuby(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
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
function startFirst(options: RubyProcessOptions, read: number, write: number): ChildProcess | undefined {
  const { elsewhere = {}, gems = '', libraries, memoryBytes, shim, timeoutSeconds } = options;
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
    gems,
    JSON.stringify(elsewhere),
    ...libraries,
  ];
  for (const command of options.commands) {
    // What code prints must not get between our messages.
    const child = spawn(command, args, { stdio: ['ignore', 2, 2, read, write], cwd: '/', detached: true });
    child.on('error', () => {
      // Without a process id it has not started, which is seen below; later there is nothing to be told of.
    });
    if (child.pid === undefined) continue;
    child.unref();
    return child;
  }
  return undefined;
}
