/** What is remembered of one run of one agent. */

export interface AgentRunRecord {
  readonly certname: string;
  readonly kind: 'simulated' | 'real';
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  /** Of the report that a server took; absent for runs that failed, and for real agents. */
  readonly transactionUuid?: string;
  /** The version of its catalog and files; absent for runs that failed. */
  readonly version?: string;
  readonly failure?: string;
  /** What a real agent complained of, and when. */
  readonly complaints?: readonly { readonly text: string; readonly at: number }[];
  /** Whom it talked to when it failed; absent before TLS was ready. */
  readonly server?: string;
  /** How often it was asked to come back later. */
  readonly putOff: number;
}

/** A run as the crowd reports it. The crowd's wall clock may be a moved one, so it uses the steady clock of the machine. */
export type CrowdRun = Omit<AgentRunRecord, 'began' | 'ended'> & {
  readonly tookMs: number;
  /** By `steadyMs`. */
  readonly endedAtMs: number;
};

/** The machine's steady clock (CLOCK_MONOTONIC), the same in all of its processes. */
export function steadyMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Whether a text says that a connection ended while a request was under way. */
export function saysLostConnection(text: string): boolean {
  return /ECONNRESET|EPIPE|socket hang up|socket disconnected|aborted|end of file|unexpected eof|Connection reset|EOFError|SSL_connect|Broken pipe/i.test(
    text,
  );
}
