/** One connection of a client. */

import type { Identity } from '../../platform/http/index.ts';
import type { WebSocketConnection } from '../../platform/websocket/index.ts';
import type { Codec } from './messages/message.ts';

/** What a session needs of its WebSocket. */
export type Wire = Pick<
  WebSocketConnection,
  'bufferedBytes' | 'receivedBytes' | 'send' | 'close' | 'cut' | 'pause' | 'resume'
>;

export type ClientIdentity = Extract<Identity, { kind: 'certificate' }>;

export interface Client {
  readonly identity: ClientIdentity;
  /** `pcp://<certname>/<type>` */
  readonly uri: string;
  readonly codec: Codec;
  /** Clients of version 1 ask to be associated before anything else. */
  readonly isAssociatedAtOnce: boolean;
}

export class Session {
  readonly client: Client;
  readonly wire: Wire;
  isAssociated: boolean;
  /** Cut off, or told to close: nothing that it sends counts any more. */
  isOver = false;
  private heardBytes = 0;
  private heardAtMs: number;

  constructor(client: Client, wire: Wire, nowMs: number) {
    this.client = client;
    this.wire = wire;
    this.isAssociated = client.isAssociatedAtOnce;
    this.heardAtMs = nowMs;
  }

  /** How long nothing has arrived, as far as it was asked before: not more exact than the intervals of asking. */
  silentMs(nowMs: number): number {
    const { receivedBytes } = this.wire;
    if (receivedBytes !== this.heardBytes) {
      this.heardBytes = receivedBytes;
      this.heardAtMs = nowMs;
    }
    return nowMs - this.heardAtMs;
  }

  close(code: number, text: string): void {
    this.isOver = true;
    this.wire.close(code, text);
  }

  cut(): void {
    this.isOver = true;
    this.wire.cut();
  }
}
