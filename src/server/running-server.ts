/** A role that runs, as commands see it. */

export interface RunningServer {
  /** The port for agents: the one that was asked for, or the free one that was found. */
  readonly port: number;
  /** Reads certificates, rules and the log level again, as SIGHUP asks. */
  reload(): Promise<void>;
  /** Resolves when the server is to end without having been told by a signal; never where that can't be. */
  readonly leaving?: Promise<void>;
  /** Turns unhealthy, finishes what is under way, ends. */
  stop(): Promise<void>;
}
