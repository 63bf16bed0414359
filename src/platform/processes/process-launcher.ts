/** Starts programs through a small process, as long as there are many to start. */

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LaunchedProcess } from './launched-process.ts';
import { connectionHeadBytes, type LauncherAnswer, type LauncherRequest } from './launcher-messages.ts';
import type { ProcessOptions, RunningProcess, StartProcess } from './running-process.ts';
import { startProcess } from './start-process.ts';

export interface ProcessLauncherOptions {
  /** The file of the process. */
  readonly workerUrl: URL;
  /** Of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** So many programs within `busyMs` are many; 3 when absent. */
  readonly manyPrograms?: number;
}

const defaultManyPrograms = 3;
const busyMs = 10_000;
/** Then its memory is worth more than the time to start it again. */
const idleMs = 60_000;
/** It may fail for reasons that pass, such as a full table of processes. */
const pauseAfterFailureMs = 60_000;
/** Only the launcher connects, and it sends the head at once. */
const headTimeoutMs = 10_000;
/** After 300 programs 60 MiB resident and 13 of its own, instead of 69 and 22. */
const smallNode = ['--max-semi-space-size=1', '--single-threaded'];

export class ProcessLauncher {
  private readonly options: ProcessLauncherOptions;
  private running: Launcher | undefined;
  /** When the last programs were started, the latest at the end. */
  private readonly starts: number[] = [];
  private notBefore = 0;
  private isClosed = false;

  constructor(options: ProcessLauncherOptions) {
    this.options = options;
  }

  /**
   * Starts a program: as a child of the small process when that is there, else of this one. Only where many are started
   * in a short time the small process is started, too, for those that come after.
   */
  readonly start: StartProcess = (command, args, options): RunningProcess => {
    if (this.running?.isReady === true) return this.running.start(command, args, options);
    this.launchWhenBusy();
    return startProcess(command, args, options);
  };

  /** Ends it, with what it has started. Programs are children of this process from now on. */
  close(): void {
    this.isClosed = true;
    this.running?.close();
    this.running = undefined;
  }

  private launchWhenBusy(): void {
    const { manyPrograms = defaultManyPrograms, now } = this.options;
    const at = now();
    this.starts.push(at);
    if (this.starts.length > manyPrograms) this.starts.shift();
    if (this.running !== undefined || this.isClosed || at < this.notBefore) return;
    const [first = at] = this.starts;
    if (this.starts.length < manyPrograms || at - first > busyMs) return;
    try {
      const launcher = new Launcher(this.options, () => {
        if (this.running !== launcher) return;
        this.running = undefined;
        if (!launcher.wasReady) this.notBefore = now() + pauseAfterFailureMs;
      });
      this.running = launcher;
    } catch {
      // No directory for temporary files, no process: it goes without.
      this.notBefore = at + pauseAfterFailureMs;
    }
  }
}

/** One such process, from its start to its end. */
class Launcher {
  wasReady = false;
  private readonly child: ChildProcess;
  private readonly server: Server;
  private readonly directory: string;
  private readonly programs = new Map<number, LaunchedProcess>();
  private readonly onEnd: () => void;
  private idle: NodeJS.Timeout | undefined;
  private lastId = 0;
  private isOver = false;

  /** @param onEnd - called once, when it takes no more programs */
  constructor({ environment, workerUrl }: ProcessLauncherOptions, onEnd: () => void) {
    this.onEnd = onEnd;
    this.directory = mkdtempSync(join(tmpdir(), 'bunraku-programs-'));
    this.server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (socket) =>
      this.accept(socket),
    );
    this.server.on('error', () => this.close());
    this.server.listen(join(this.directory, 'streams')).unref();
    try {
      this.child = fork(fileURLToPath(workerUrl), [this.directory], {
        env: environment,
        execArgv: smallNode,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        serialization: 'json',
      });
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.child.on('message', (answer: LauncherAnswer) => this.handle(answer));
    this.child.on('error', () => this.close());
    this.child.on('disconnect', () => this.close());
    this.child.unref();
    this.rest();
  }

  get isReady(): boolean {
    return this.wasReady && !this.isOver && this.child.connected;
  }

  start(command: string, args: readonly string[], options: ProcessOptions): RunningProcess {
    const { directory, environment, isOwnGroup } = options;
    this.lastId += 1;
    const id = this.lastId;
    const program = new LaunchedProcess(options, () => this.send({ kind: 'kill', id }));
    this.programs.set(id, program);
    clearTimeout(this.idle);
    // A server that waits for a program does not end before it has.
    this.child.channel?.ref();
    const passed = {
      environment,
      ...(directory === undefined ? {} : { directory }),
      ...(isOwnGroup === undefined ? {} : { isOwnGroup }),
    };
    this.send({ kind: 'start', id, command, args, options: passed });
    return program;
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.idle);
    this.onEnd();
    for (const program of this.programs.values()) program.orphan();
    this.programs.clear();
    if (this.child.connected) this.child.disconnect();
    this.abandon();
  }

  private abandon(): void {
    this.server.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private handle(answer: LauncherAnswer): void {
    if (answer.kind === 'ready') {
      this.wasReady = true;
      return;
    }
    const program = this.programs.get(answer.id);
    program?.tell(answer);
    if (program?.isDone === true) this.forget(answer.id);
  }

  private forget(id: number): void {
    this.programs.delete(id);
    if (this.programs.size === 0 && !this.isOver) this.rest();
  }

  private send(request: LauncherRequest): void {
    this.child.send(request, (error) => {
      if (error !== null) this.close();
    });
  }

  private rest(): void {
    this.child.channel?.unref();
    this.idle = setTimeout(() => this.close(), idleMs).unref();
  }

  /** The head says whose connection it is; what comes after it is the program's. */
  private accept(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), headTimeoutMs).unref();
    socket.on('error', () => {}); // its user has a listener of its own
    const onReadable = () => {
      const head = socket.read(connectionHeadBytes) as Buffer | null;
      if (head === null) return;
      clearTimeout(timer);
      socket.off('readable', onReadable);
      const id = head.readUInt32BE(0);
      const program = this.programs.get(id);
      if (program === undefined) return void socket.destroy();
      program.connect(head.readUInt32BE(4), socket);
      if (program.isDone) this.forget(id);
    };
    socket.on('readable', onReadable);
  }
}
