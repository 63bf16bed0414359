/** What a command of the program is. One file for each; `commands.ts` lists them. */

export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** True when standard output is a terminal: people read it, not programs. */
  readonly isTerminal: boolean;
  /** Aborted on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** The words that call it: `primary`, `ca sign`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `--help` prints after the summary. */
  readonly usage: string;
  /**
   * @param args - what follows the command's name
   * @returns the exit code
   */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** A command that is loaded only when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** A mistake on the command line: printed without a stack, exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
