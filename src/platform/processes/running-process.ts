/** A program that this server has started, itself or by the launcher. */

import type { Readable, Writable } from 'node:stream';

export interface ProcessOptions {
  /** All that the program sees as its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory of this process when absent. */
  readonly directory?: string;
  /** In a process group of its own, so that its children are ended with it. */
  readonly isOwnGroup?: boolean;
  /** Ends it, with `SIGKILL`, when it takes longer; no limit when absent. */
  readonly timeoutMs?: number;
  /** Ends it, too; `exited` and `ended` are rejected with an `AbortError` then. */
  readonly signal?: AbortSignal;
}

/** One of both is `null`. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** When it is no more; its children may still write. Rejected with the system's error when it could not be started. */
  readonly exited: Promise<Ended>;
  /** As `exited`, but after its output has closed and has been read. */
  readonly ended: Promise<Ended>;
  /** Ends it with `SIGKILL`, with its group where that is its own. */
  kill(): void;
}

/** @param command - a path, or a name that is looked for in `PATH` of the environment that it gets */
export type StartProcess = (
  command: string,
  args: readonly string[],
  options: ProcessOptions,
) => RunningProcess;
