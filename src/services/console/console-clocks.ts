/** The two clocks of the console. */

export interface ConsoleClocks {
  /** For times that people see, in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** For lengths of time: it is never set. */
  readonly steadyMs: () => number;
}
