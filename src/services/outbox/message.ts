/** What travels. */

export type MessageKind = 'facts' | 'report';

export interface Message {
  readonly kind: MessageKind;
  readonly certname: string;
  /** The environment that the agent named. */
  readonly environment: string;
  /** JSON as the service that made it renders it; the same service reads it on the primary. */
  readonly payload: string;
}

/** Where deliveries end: resolves when the message is durable. */
export interface MessageSink {
  accept(message: Message): Promise<void>;
}
