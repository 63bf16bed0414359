/** The port of a broker: TLS, the upgrade to WebSockets, and who comes. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  createHttpServer,
  type HttpServer,
  type Peer,
  type RevokedByIssuer,
  type TlsMaterial,
  type TrustedProxies,
} from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  refuseUpgrade,
  type WebSocketConnection,
  webSocketAcceptor,
} from '../../platform/websocket/index.ts';
import type { Broker } from './broker.ts';
import { codecV1 } from './messages/codec-v1.ts';
import { codecV2 } from './messages/codec-v2.ts';
import { renderUri } from './messages/uri.ts';
import type { Client, ClientIdentity, Session } from './session.ts';

export interface ListenerOptions {
  readonly broker: Broker;
  readonly tls: TlsMaterial;
  readonly log: Logger;
  readonly maxMessageBytes: number;
  readonly connectionsPerSecond: number;
  readonly trustedProxies?: TrustedProxies;
}

/** What clients are when the path does not say it. */
const usualType = 'agent';
/** The two mount points, with or without a slash at the end, and with a client type. */
const pathForm = /^\/(pcp2?)(?:\/([\w.-]{1,64})?)?$/;

export class BrokerListener {
  private readonly options: ListenerOptions;
  private readonly http: HttpServer;
  private readonly accept: ReturnType<typeof webSocketAcceptor>;

  constructor(options: ListenerOptions) {
    this.options = options;
    const { maxMessageBytes } = options;
    this.accept = webSocketAcceptor({ maxMessageBytes });
    this.http = createHttpServer({
      routes: [],
      authorization: { rules: [], allowHeaderCertInfo: false },
      tls: options.tls,
      log: options.log,
      handshakesPerSecond: options.connectionsPerSecond,
      ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
      onUpgrade: (message, socket, head, peer) => this.upgrade(message, { socket, head, peer }),
    });
  }

  /** @param port - 0 for any free one @returns the port that is listened on */
  listen(port: number, host?: string): Promise<number> {
    return this.http.listen(port, host);
  }

  reloadTls(material: TlsMaterial): void {
    this.http.reloadTls(material);
  }

  /** Closes the connections of clients that the lists revoke. */
  setRevocationLists(lists: readonly RevokedByIssuer[]): void {
    this.http.setRevocationLists(lists);
  }

  /** Accepts no more, and waits until the connections have ended. */
  close(timeoutMs: number): Promise<void> {
    return this.http.drain(timeoutMs);
  }

  private upgrade(
    message: IncomingMessage,
    { head, peer, socket }: { readonly socket: Socket; readonly head: Buffer; readonly peer: Peer },
  ): (() => void) | undefined {
    const { broker, log } = this.options;
    const [path = ''] = (message.url ?? '').split('?');
    const [, mount, type = usualType] = pathForm.exec(path) ?? [];
    if (mount === undefined) {
      refuseUpgrade(socket, 404, 'Not Found');
      return undefined;
    }
    const identity = peer.kind === 'certificate' ? peer.identity : undefined;
    const client = identity === undefined ? undefined : clientOf(identity, mount, type);
    const refusal = broker.refusal(identity, client);
    if (refusal !== undefined) {
      const { text } = refusal;
      log.info(
        { certname: identity?.certname, address: peer.identity.address, reason: text },
        'refused a client',
      );
      if (refusal.kind === 'http') refuseUpgrade(socket, refusal.status, text);
      else this.accept(message, socket, head, (wire) => closedAtOnce(wire, refusal.code, text));
      return undefined;
    }
    let session: Session | undefined;
    if (client === undefined) return undefined;
    this.accept(message, socket, head, (wire) => {
      const connected = broker.connect(client, wire);
      ({ session } = connected);
      return connected;
    });
    return () => session?.close(1012, 'CRL reloaded');
  }
}

function clientOf(identity: ClientIdentity, mount: string, type: string): Client {
  const isV2 = mount === 'pcp2';
  return {
    identity,
    uri: renderUri({ name: identity.certname, type }),
    codec: isV2 ? codecV2 : codecV1,
    isAssociatedAtOnce: isV2,
  };
}

function closedAtOnce(wire: WebSocketConnection, code: number, text: string) {
  wire.close(code, text);
  return { message: ignore, closed: ignore };
}

function ignore(): void {
  // it is being closed
}
