/** Requests that come in one connection before earlier ones have been answered. */

import type { Socket } from 'node:net';

/** What is parsed at once, in bytes: some 300 of the shortest requests, which take 15 ms. */
const sliceLength = 8 * 1024;

interface Connection {
  /** Whether a request is being answered. */
  isBusy: boolean;
  /** Requests that came after it. */
  readonly waiting: (() => void)[];
  /** What came and is not parsed yet. */
  unparsed: Buffer[];
  isParsing: boolean;
  /** Whether reading was stopped here; Node stops it too, where bodies and answers are not read. */
  isPaused: boolean;
  readonly parse: (bytes: Buffer) => void;
  readonly onData: (bytes: Buffer) => void;
}

/**
 * Begins one request of a connection at a time, and neither parses nor reads more while others wait, so that a connection with
 * thousands of requests costs no more than many connections with one each. Between two of them everybody else is served.
 */
export class RequestTurns {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Stands between a connection and Node's parser, which takes 64 KiB at once: 2,300 requests, and 100 ms. */
  watch(socket: Socket): void {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) throw new Error("Node's parser does not listen to the connection");
    const onData = (bytes: Buffer): void => {
      connection.unparsed.push(bytes);
      this.parse(socket, connection);
    };
    const connection: Connection = {
      isBusy: false,
      waiting: [],
      unparsed: [],
      isParsing: false,
      isPaused: false,
      parse,
      onData,
    };
    this.connections.set(socket, connection);
    socket.removeListener('data', parse);
    socket.on('data', onData);
    // TLS sockets were created with `pauseOnConnect`, which Node's parser goes past.
    socket.resume();
  }

  /** To be called when another protocol takes the connection. @returns what came and was not parsed */
  release(socket: Socket): Buffer {
    const connection = this.connections.get(socket);
    if (connection === undefined) return Buffer.alloc(0);
    const unparsed = Buffer.concat(connection.unparsed);
    connection.unparsed = [];
    socket.removeListener('data', connection.onData);
    return unparsed;
  }

  /** @param begin - called at once or when `next` has been called for all before it; never when the client leaves */
  take(socket: Socket, begin: () => void): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) throw new Error('a request of a connection that is not watched');
    if (connection.isBusy) {
      connection.waiting.push(begin);
      return;
    }
    connection.isBusy = true;
    begin();
  }

  /** To be called when the request under way has been answered. */
  next(socket: Socket): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    if (connection.waiting.length === 0 || socket.destroyed) {
      connection.isBusy = false;
      this.parse(socket, connection);
      return;
    }
    setImmediate(() => {
      const begin = connection.waiting.shift();
      if (socket.destroyed) return;
      begin?.();
      this.parse(socket, connection);
    });
  }

  /** Goes on for as long as no request waits: bodies are parsed as they come. */
  private parse(socket: Socket, connection: Connection): void {
    // An answer may be complete before its request has been parsed to the end.
    if (connection.isParsing) return;
    connection.isParsing = true;
    while (connection.waiting.length === 0 && !socket.destroyed) {
      const bytes = connection.unparsed.shift();
      if (bytes === undefined) break;
      if (bytes.length > sliceLength) connection.unparsed.unshift(bytes.subarray(sliceLength));
      connection.parse.call(socket, bytes.subarray(0, sliceLength));
    }
    connection.isParsing = false;
    const isToPause = connection.waiting.length > 0;
    // Again with each piece that comes: Node lets connections be read whose answers have been taken.
    if (isToPause) socket.pause();
    else if (connection.isPaused) socket.resume();
    connection.isPaused = isToPause;
  }
}
