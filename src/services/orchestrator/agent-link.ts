/** What the orchestrator needs of the brokers: the agents that are connected, and messages to and from them. */

import type { Json } from '../../lib/json.ts';

export interface AgentConnection {
  /** `pcp://NAME/server` */
  readonly broker: string;
  readonly since: Date;
}

/** A message of PXP (`rpc_...`), or an `error_message`, that an agent sent. */
export interface AgentMessage {
  readonly id: string;
  /** The whole name: `http://puppetlabs.com/rpc_provisional_response`. */
  readonly messageType: string;
  readonly inReplyTo?: string;
  readonly data: Json;
}

export interface AgentListener {
  /** @param certname - the sender, as its certificate proves */
  message(certname: string, message: AgentMessage): void;
  connected(certname: string, broker: string): void;
  lost(certname: string): void;
}

/** Agents with a PCP connection, whichever broker holds it. */
export interface AgentLink {
  /** `undefined` when the node has no connection. */
  connection(certname: string): AgentConnection | undefined;
  connections(): Iterable<AgentConnection & { readonly certname: string }>;
  /** Until when a node without a connection is likely to come back, because its broker was lost; `undefined` for others. */
  expectedUntil(certname: string): Date | undefined;
  /**
   * Delivers at most once: `sent` means handed to a connection, not that it arrived.
   *
   * @param messageType - the whole name: `http://puppetlabs.com/rpc_non_blocking_request`
   */
  send(certname: string, messageType: string, data: Json): Promise<'sent' | 'not-connected'>;
  /** @returns ends the listening */
  listen(listener: AgentListener): () => void;
}
