/** A program that runs beside us: started, watched, ended. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Where its output goes. */
  readonly logFile: string;
}

/** Short for a person, and long for a condition that starts a program or asks a server that is starting. */
export const pollIntervalMs = 100;

export class Process {
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly exited: Promise<number | null>;
  private readonly options: ProcessOptions;
  private hasExited = false;
  /** Why it could not be started. */
  private failure: Error | undefined;

  constructor(options: ProcessOptions) {
    this.options = options;
    // A group of its own: Ctrl-C at the terminal reaches us alone, and we end things in order.
    this.child = spawn(options.command, options.args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const log = createWriteStream(options.logFile, { flags: 'a' });
    this.child.stdout?.pipe(log, { end: false });
    this.child.stderr?.pipe(log, { end: false });
    this.exited = new Promise((resolve, reject) => {
      this.child.once('error', (error) => {
        this.failure ??= error;
        reject(error);
      });
      this.child.once('exit', (code) => {
        this.hasExited = true;
        resolve(code);
      });
    });
    // Callers that wait get the rejection; they need not.
    this.exited.catch(() => {});
    this.pid = this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return !this.hasExited;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Asks it to end, insists after the patience, resolves when it has. */
  async stop(patienceMs = 15_000): Promise<number | null> {
    if (this.hasExited) return this.exited;
    this.signal('SIGTERM');
    const insisting = sleep(patienceMs, undefined, { ref: false }).then(() => this.signal('SIGKILL'));
    const code = await this.exited;
    void insisting;
    return code;
  }

  /** Ends it as a power failure would. */
  async kill(): Promise<void> {
    if (this.hasExited) return;
    this.signal('SIGKILL');
    await this.exited;
  }

  /**
   * Waits until a condition holds.
   *
   * @throws Error when the program can't be started, or ends before, or when it takes too long
   */
  async until(what: string, holds: () => Promise<boolean>, timeoutMs = 300_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!(await holds())) {
      if (this.failure !== undefined) throw this.failure;
      if (this.hasExited)
        throw new Error(`${this.describe()} ended while waiting for ${what}; see ${this.options.logFile}`);
      if (performance.now() > deadline)
        throw new Error(`${what} did not happen within ${timeoutMs} ms; see ${this.options.logFile}`);
      await sleep(pollIntervalMs);
    }
  }

  private describe(): string {
    return [this.options.command, ...this.options.args].join(' ');
  }
}
