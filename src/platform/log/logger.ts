/** Structured logs: a message is a constant, the facts go into fields. */

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * What every part of the program logs to.
 *
 * `error`: a person must act. `warn`: may heal itself. `info`: one line for each agent request or change of
 * state. `debug`: everything else. An `Error` goes into the field `err`.
 */
export interface Logger {
  error(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
  /** Whether lines of a level are written at the moment: for what costs something to put together. */
  isWriting(level: LogLevel): boolean;
  /** A logger whose lines all carry `fields` as well. */
  child(fields: LogFields): Logger;
}

/** A logger that drops everything, for tests and libraries. */
export const silentLogger: Logger = {
  error: drop,
  warn: drop,
  info: drop,
  debug: drop,
  isWriting: () => false,
  child: () => silentLogger,
};

function drop(): void {
  // nothing to do: that is the point
}
