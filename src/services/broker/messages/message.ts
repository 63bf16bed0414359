/** A PCP message, as both versions of the protocol mean it. */

export interface Message {
  readonly id: string;
  /** A whole URL: `http://puppetlabs.com/rpc_blocking_request`. */
  readonly messageType: string;
  /** Absent when the message is for the broker itself. Several only in version 1, which the broker refuses. */
  readonly targets: readonly string[];
  /** Absent when the broker is to fill in the URI of the connection. */
  readonly sender?: string;
  readonly inReplyTo?: string;
  readonly data?: unknown;
}

/** Reads and writes one version of the protocol. */
export interface Codec {
  /** `undefined` unless it is a message of this version. */
  decode(frame: string | Buffer): Message | undefined;
  encode(message: Message): string | Buffer;
}

const prefix = 'http://puppetlabs.com/';

export const messageTypes = {
  associateRequest: `${prefix}associate_request`,
  associateResponse: `${prefix}associate_response`,
  error: `${prefix}error_message`,
  inventoryRequest: `${prefix}inventory_request`,
  inventoryResponse: `${prefix}inventory_response`,
  inventoryUpdate: `${prefix}inventory_update`,
  blockingRequest: `${prefix}rpc_blocking_request`,
  nonBlockingRequest: `${prefix}rpc_non_blocking_request`,
} as const;

/** The broker that one is connected to. */
export const brokerUri = 'pcp:///server';
