/** A broker's connection to an orchestrator elsewhere. It retries without end, and gives up a silent connection soon. */

import type { TlsMaterial } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { dialWebSocket, type WebSocketConnection } from '../../platform/websocket/index.ts';
import type { ControllerLink } from './controllers.ts';
import { watchSilence } from './watch-silence.ts';

export interface DiallerOptions {
  /** `wss://primary.example.com:8143/server` */
  readonly url: string;
  readonly tls: TlsMaterial;
  readonly maxMessageBytes: number;
  readonly log: Logger;
  /** Called each time that it is connected. */
  readonly attach: (link: ControllerLink) => { message(text: string | Buffer): void; lost(): void };
  /** Shorter ones in tests. */
  readonly pauses?: { readonly firstMs: number; readonly longestMs: number };
}

const timeoutMs = 10_000;
/** The brokers of an installation come back to an orchestrator spread over the longest pause. */
const defaultPauses = { firstMs: 500, longestMs: 10_000 };

export class ControllerDialler {
  private readonly options: DiallerOptions;
  private readonly stopping = new AbortController();
  private tls: TlsMaterial;
  private connection: WebSocketConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs: number;
  private hasTold = false;

  constructor(options: DiallerOptions) {
    this.options = options;
    this.tls = options.tls;
    this.pauseMs = this.pauses.firstMs;
  }

  start(): void {
    void this.dial();
  }

  stop(): void {
    this.stopping.abort();
    clearTimeout(this.timer);
    this.connection?.cut();
  }

  /** For the next connection: one that is open goes on. */
  setCredentials(tls: TlsMaterial): void {
    this.tls = tls;
  }

  private get pauses(): { readonly firstMs: number; readonly longestMs: number } {
    return this.options.pauses ?? defaultPauses;
  }

  private async dial(): Promise<void> {
    const { log, maxMessageBytes, url } = this.options;
    const { ca, certificate, privateKey } = this.tls;
    try {
      this.connection = await dialWebSocket(
        { url, ca, certificate, privateKey, maxMessageBytes, timeoutMs, signal: this.stopping.signal },
        (connection, names) => this.opened(connection, names),
      );
      this.pauseMs = this.pauses.firstMs;
      this.hasTold = false;
    } catch (err) {
      if (this.stopping.signal.aborted) return;
      if (!this.hasTold) log.warn({ err, url }, 'could not connect to the orchestrator; trying again');
      this.hasTold = true;
      this.tryAgain();
    }
  }

  private opened(connection: WebSocketConnection, names: readonly string[]) {
    const { host, port } = new URL(this.options.url);
    const attached = this.options.attach({
      uri: `pcp://${host}/server`,
      // Agents that were asked over another broker may know it by another name.
      aliases: names.map((name) => `pcp://${name}:${port}/server`),
      get bufferedBytes() {
        return connection.bufferedBytes;
      },
      send: (text) => connection.send(text),
    });
    const watch = watchSilence(connection);
    return {
      message: (text: string | Buffer) => attached.message(text),
      closed: () => {
        watch.stop();
        this.connection = undefined;
        attached.lost();
        if (!this.stopping.signal.aborted) this.tryAgain();
      },
    };
  }

  private tryAgain(): void {
    this.timer = setTimeout(() => void this.dial(), this.pauseMs * (0.5 + Math.random()));
    this.pauseMs = Math.min(this.pauses.longestMs, this.pauseMs * 2);
  }
}
