/** What stands below a broker and does nothing: a TLS server of Node, or `ws` on one. Takes what the broker's process takes. */

import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { type WebSocket, WebSocketServer } from 'ws';
import { secureContextOptions } from '../../src/platform/http/tls-material.ts';
import type { BrokerOrder, FromBroker, ToBroker } from './broker-process.ts';

const accepted = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const open = new Set<TLSSocket | WebSocket>();

function listen({ subject, tls }: BrokerOrder): Promise<number> {
  const options = { ...secureContextOptions(tls), requestCert: true, rejectUnauthorized: false };
  const server = subject === 'tls' ? plainServer(options) : webSocketServer(options);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function plainServer(options: object) {
  return createServer(options, (socket) => {
    open.add(socket);
    socket.on('error', () => open.delete(socket));
    socket.once('data', () => socket.write(accepted));
  });
}

function webSocketServer(options: object) {
  const server = createHttpsServer(options);
  const acceptor = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) =>
    acceptor.handleUpgrade(request, socket, head, (webSocket) => open.add(webSocket)),
  );
  return server;
}

process.on('message', (message: ToBroker) => {
  const tell = (value: number) => process.send?.({ value } satisfies FromBroker);
  if (message.kind === 'start') void listen(message.order).then(tell);
  else tell(message.kind === 'count' ? open.size : 0);
});
