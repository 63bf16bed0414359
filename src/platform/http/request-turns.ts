/** Requests that come in one connection before earlier ones have been answered. */

import type { Socket } from 'node:net';

/**
 * Begins one request of a connection at a time and stops reading while others wait, so that a connection with
 * thousands of requests costs no more than many connections with one each. Between two of them everybody else is served.
 */
export class RequestTurns {
  /** By connection that has a request under way: what came after it. */
  private readonly waiting = new WeakMap<Socket, (() => void)[]>();

  /** @param begin - called at once or when `next` has been called for all before it; never when the client leaves */
  take(socket: Socket, begin: () => void): void {
    const others = this.waiting.get(socket);
    if (others === undefined) {
      this.waiting.set(socket, []);
      begin();
      return;
    }
    others.push(begin);
    // What the parser was given already comes still: a few hundred requests at most.
    socket.pause();
  }

  /** To be called when the request under way has been answered. */
  next(socket: Socket): void {
    const others = this.waiting.get(socket);
    if (others === undefined || others.length === 0 || socket.destroyed) {
      this.waiting.delete(socket);
      return;
    }
    setImmediate(() => {
      const begin = others.shift();
      if (others.length === 0) socket.resume();
      if (socket.destroyed) this.waiting.delete(socket);
      else begin?.();
    });
  }
}
