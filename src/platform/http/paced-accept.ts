/** Handshakes in small portions, so that a crowd of new connections leaves time for those that are open already. */

import type { Socket } from 'node:net';
import type { Server } from 'node:tls';

/**
 * Handshakes begun in one turn of the event loop. Each costs some milliseconds of processor time; requests on open
 * connections and on other ports are served between two turns.
 */
const handshakesPerTurn = 4;

/**
 * Makes a server, created with `pauseOnConnect`, begin few handshakes at a time; the other connections wait, at the
 * price of a socket, in the order in which they came.
 */
export function paceHandshakes(server: Server): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  const waiting: Socket[] = [];
  let begunInTurn = 0;
  const beginNow = (socket: Socket): void => {
    begunInTurn += 1;
    if (begunInTurn === 1) setImmediate(nextTurn);
    for (const listener of begin) listener.call(server, socket);
  };
  const nextTurn = (): void => {
    begunInTurn = 0;
    for (const socket of waiting.splice(0, handshakesPerTurn)) if (!socket.destroyed) beginNow(socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (waiting.length === 0 && begunInTurn < handshakesPerTurn) beginNow(socket);
    else waiting.push(socket);
  });
}
