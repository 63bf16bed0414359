/** Structured logs: a message is a constant, the facts go into fields. */

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
  /** A logger whose lines all carry `fields` as well. */
  child(fields: LogFields): Logger;
}

/** A logger that drops everything, for tests and libraries. */
export const silentLogger: Logger = {
  error: drop,
  warn: drop,
  info: drop,
  debug: drop,
  child: () => silentLogger,
};

function drop(): void {
  // nothing to do: that is the point
}
