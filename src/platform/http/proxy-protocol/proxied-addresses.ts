/** Whose connections proxies pass on: the one place that knows the address of a client. */

import type { Socket } from 'node:net';

/** By both ends of the connection, since the socket with TLS is another object than the one below it. */
const clients = new Map<string, string>();

/** From now on, until it is closed, the connection is one of this address. */
export function noteProxied(socket: Socket, address: string): void {
  const key = endsOf(socket);
  clients.set(key, plainAddress(address));
  socket.once('close', () => clients.delete(key));
}

/** The address of the client for whom a proxy has opened the connection; `undefined` for connections of their own. */
export function proxiedAddress(socket: Socket): string | undefined {
  return clients.size === 0 ? undefined : clients.get(endsOf(socket));
}

/** The client's address, `unknown` when the connection is closed. */
export function clientAddress(socket: Socket | undefined | null): string {
  if (!socket) return 'unknown';
  return proxiedAddress(socket) ?? plainAddress(socket.remoteAddress ?? 'unknown');
}

/** `::ffff:192.0.2.1` is `192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
