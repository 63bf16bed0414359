/** Handshakes in small portions, so that a crowd of new connections leaves time for those that are open already. */

import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import { clientAddress } from './proxy-protocol/proxied-addresses.ts';

/**
 * Handshakes begun in one turn of the event loop. Each costs some milliseconds of processor time; requests on open
 * connections and on other ports are served between two turns.
 */
const handshakesPerTurn = 4;
/**
 * How many may have begun some time ago and not ended. Clients that send the rest of many at once stop the main thread with
 * them, 0.2 ms each: the oldest makes room, which is one whose client keeps it waiting.
 */
const maxUnfinished = 256;
const fastClientMs = 2000;

/** Calls back when a handshake can begin without waiting for more of the client. */
export type WhenReady = (socket: Socket, begin: () => void) => void;

/**
 * Makes a server, created with `pauseOnConnect`, begin few handshakes at a time; the other connections wait, at the
 * price of a socket. Addresses take turns, so that who comes alone (another server, a health check) does not wait for a
 * crowd from elsewhere; those of one address are taken in the order in which they came.
 */
export function paceHandshakes(server: Server, whenReady: WhenReady): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  const waiting = new Turns();
  const unfinished = new Unfinished();
  let begunInTurn = 0;
  const beginNow = (socket: Socket): void => {
    begunInTurn += 1;
    if (begunInTurn === 1) setImmediate(nextTurn);
    unfinished.add(socket);
    for (const listener of begin) listener.call(server, socket);
  };
  const nextTurn = (): void => {
    begunInTurn = 0;
    while (begunInTurn < handshakesPerTurn) {
      const socket = waiting.take();
      if (socket === undefined) return;
      if (!socket.destroyed) beginNow(socket);
    }
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    whenReady(socket, () => {
      if (waiting.isEmpty && begunInTurn < handshakesPerTurn) beginNow(socket);
      else waiting.add(socket);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => unfinished.remove(socket));
}

/** Connections whose handshake has begun. The one with TLS is another object than that below it, with the same address. */
class Unfinished {
  private readonly sockets = new Map<string, { readonly socket: Socket; readonly begunMs: number }>();

  add(socket: Socket): void {
    const key = endOf(socket);
    const nowMs = performance.now();
    this.sockets.set(key, { socket, begunMs: nowMs });
    socket.once('close', () => this.sockets.delete(key));
    if (this.sockets.size <= maxUnfinished) return;
    const [[oldestKey, oldest] = []] = this.sockets;
    if (oldestKey === undefined || oldest === undefined || nowMs - oldest.begunMs < fastClientMs) return;
    this.sockets.delete(oldestKey);
    oldest.socket.destroy();
  }

  remove(socket: Socket): void {
    this.sockets.delete(endOf(socket));
  }
}

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Sockets that wait, by address. */
class Turns {
  /** In the order in which they have their next turn. */
  private readonly queues = new Map<string, Queue>();

  get isEmpty(): boolean {
    return this.queues.size === 0;
  }

  add(socket: Socket): void {
    const address = clientAddress(socket);
    const queue = this.queues.get(address);
    if (queue === undefined) this.queues.set(address, { sockets: [socket], taken: 0 });
    else queue.sockets.push(socket);
  }

  take(): Socket | undefined {
    const [first] = this.queues;
    if (first === undefined) return undefined;
    const [address, queue] = first;
    const socket = queue.sockets[queue.taken];
    queue.taken += 1;
    this.queues.delete(address);
    if (queue.taken < queue.sockets.length) this.queues.set(address, compacted(queue));
    return socket;
  }
}

interface Queue {
  readonly sockets: Socket[];
  /** How many at its beginning are gone. */
  taken: number;
}

/** To take the first of thousands away each time would move all others. */
function compacted(queue: Queue): Queue {
  if (queue.taken < 1000) return queue;
  return { sockets: queue.sockets.slice(queue.taken), taken: 0 };
}
