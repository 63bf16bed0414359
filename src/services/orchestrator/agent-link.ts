/** What the orchestrator needs of the brokers: the agents that are connected, and messages to and from them. */

import type { Json } from '../../lib/json.ts';

export interface AgentConnection {
  /** `pcp://NAME/server` */
  readonly broker: string;
  readonly since: Date;
}

/** How a node is reached. */
export type Transport = 'pcp' | 'ssh';

export function transportOf({ broker }: Pick<AgentConnection, 'broker'>): Transport {
  return broker.startsWith('ssh:') ? 'ssh' : 'pcp';
}

/** A message of PXP (`rpc_...`), or an `error_message`, that an agent sent. */
export interface AgentMessage {
  readonly id: string;
  /** The whole name: `http://puppetlabs.com/rpc_provisional_response`. */
  readonly messageType: string;
  readonly inReplyTo?: string;
  readonly data: Json;
  /** What another thread has made of a large message by `readLargeAnswer`; `data` is `null` then. */
  readonly read?: unknown;
}

export interface AgentListener {
  /** @param certname - the sender, as its certificate proves */
  message(certname: string, message: AgentMessage): void;
  connected(certname: string, broker: string): void;
  lost(certname: string): void;
}

/** Agents with a PCP connection, whichever broker holds it. */
export interface AgentLink {
  /**
   * `undefined` when the node has no connection.
   *
   * @param transport - asks for one of this kind; absent: for the one that new actions use
   */
  connection(certname: string, transport?: Transport): AgentConnection | undefined;
  connections(): Iterable<AgentConnection & { readonly certname: string }>;
  /** Until when a node without a connection is likely to come back, because its broker was lost; `undefined` for others. */
  expectedUntil(certname: string, transport?: Transport): Date | undefined;
  /**
   * Delivers at most once: `sent` means handed to a connection, not that it arrived.
   *
   * @param messageType - the whole name: `http://puppetlabs.com/rpc_non_blocking_request`
   * @param transport - as for `connection`
   */
  send(
    certname: string,
    messageType: string,
    data: Json,
    transport?: Transport,
  ): Promise<'sent' | 'not-connected'>;
  /** @returns ends the listening */
  listen(listener: AgentListener): () => void;
}
