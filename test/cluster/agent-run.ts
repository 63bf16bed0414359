/** What is remembered of one run of one agent. */

export interface AgentRunRecord {
  readonly certname: string;
  readonly kind: 'simulated' | 'real';
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  /** The version of its catalog and files; absent for runs that failed. */
  readonly version?: string;
  readonly failure?: string;
  /** Whom it talked to when it failed; absent before TLS was ready. */
  readonly server?: string;
  /** How often it was asked to come back later. */
  readonly putOff: number;
}

/** Whether a failure means that a connection ended while a request was under way. */
export function isLostConnection({ failure = '' }: AgentRunRecord): boolean {
  return /ECONNRESET|EPIPE|socket hang up|socket disconnected|aborted|end of file|unexpected eof|Connection reset|EOFError|SSL_connect|Broken pipe/i.test(
    failure,
  );
}
