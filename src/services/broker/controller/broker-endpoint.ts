/** Where brokers of other servers connect: `/server` on the orchestrator's port. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Identity, Peer } from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import {
  refuseUpgrade,
  type WebSocketConnection,
  type WebSocketEvents,
  webSocketAcceptor,
} from '../../../platform/websocket/index.ts';
import { watchSilence } from '../watch-silence.ts';
import type { AgentController } from './agent-controller.ts';

export interface EndpointOptions {
  readonly controller: AgentController;
  /** Whether a client is a server of the installation. */
  readonly isInfrastructure: (identity: Identity) => boolean;
  readonly maxMessageBytes: number;
  readonly log: Logger;
}

/** A message to a broker is one for an agent, which takes no more; what waits above that is for a broker that does not read. */
const maxUnreadBytes = 256 * 1024 * 1024;

/** Large messages of one broker that are being read; above that it has to wait. */
const maxReadingBytes = 64 * 1024 * 1024;

interface Link {
  readonly identity: Identity;
  readonly connection: WebSocketConnection;
}

export class BrokerEndpoint {
  private readonly options: EndpointOptions;
  private readonly accept: ReturnType<typeof webSocketAcceptor>;
  private readonly links = new Map<string, Link>();
  private isClosed = false;

  constructor(options: EndpointOptions) {
    this.options = options;
    this.accept = webSocketAcceptor(options);
  }

  /** Takes a request. @returns what ends the connection when its certificate no longer counts */
  upgrade(
    message: IncomingMessage,
    socket: Socket,
    head: Buffer,
    { identity }: Peer,
  ): (() => void) | undefined {
    const { isInfrastructure, log } = this.options;
    const [path = ''] = (message.url ?? '').split('?');
    if (path !== '/server' && path !== '/server/') {
      refuseUpgrade(socket, 404, 'Not Found');
      return undefined;
    }
    if (identity.kind !== 'certificate' || !isInfrastructure(identity)) {
      log.warn({ address: identity.address }, 'refused a broker that is no server of this installation');
      refuseUpgrade(socket, 403, 'Only servers of this installation may connect.');
      return undefined;
    }
    if (this.isClosed) {
      refuseUpgrade(socket, 503, 'The orchestrator is stopping.');
      return undefined;
    }
    let opened: WebSocketConnection | undefined;
    this.accept(message, socket, head, (connection) => {
      opened = connection;
      return this.opened(`pcp://${identity.certname}/server`, { identity, connection });
    });
    return () => opened?.close(1012, 'CRL reloaded');
  }

  /** Ends the connections of servers that have lost their rights: these are checked when a broker connects. */
  cutStrangers(): void {
    for (const { connection, identity } of this.links.values()) {
      if (this.options.isInfrastructure(identity)) continue;
      this.options.log.warn(
        { address: identity.address },
        'cut off a broker whose server has lost its rights',
      );
      connection.cut();
    }
  }

  /** Closes all connections: brokers look for the next orchestrator. */
  close(): void {
    this.isClosed = true;
    for (const { connection } of this.links.values()) connection.close(1001, 'The orchestrator is stopping.');
  }

  private opened(uri: string, link: Link): WebSocketEvents {
    const { connection } = link;
    // A broker that connects again has lost the connection that it had.
    this.links.get(uri)?.connection.cut();
    this.links.set(uri, link);
    const send = (text: string): void => sendTo(connection, text);
    const broker = this.options.controller.addBroker({ uri, send });
    const watch = watchSilence(connection);
    let readingBytes = 0;
    const heard = (data: string | Buffer): void => {
      const reading = broker.message(data);
      if (reading === undefined) return;
      readingBytes += data.length;
      if (readingBytes > maxReadingBytes) connection.pause();
      void reading.then(() => {
        readingBytes -= data.length;
        if (readingBytes <= maxReadingBytes) connection.resume();
      });
    };
    return {
      message: heard,
      closed: () => {
        watch.stop();
        if (this.links.get(uri) === link) this.links.delete(uri);
        broker.lost();
      },
    };
  }
}

function sendTo(connection: WebSocketConnection, text: string): void {
  if (connection.bufferedBytes > maxUnreadBytes) connection.cut();
  else connection.send(text);
}
