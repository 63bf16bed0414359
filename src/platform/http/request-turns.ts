/** Requests that come in one connection before earlier ones have been answered. */

import type { Socket } from 'node:net';

/** What is parsed at once, in bytes: some 300 of the shortest requests, which take 15 ms. */
const sliceLength = 8 * 1024;

/** The most bytes of all connections that are parsed in one turn of the event loop. The rest waits for the next turns. */
const maxTurnBytes = 1024 * 1024;
/** Pieces of this size, such as requests without a body, never wait for the bodies of others. */
const smallBytes = 4 * 1024;

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
  /** Whether the bytes that arrived wait for another turn of the event loop. */
  isPutOff: boolean;
  readonly parse: (bytes: Buffer) => void;
  readonly onData: (bytes: Buffer) => void;
}

/**
 * Begins one request of a connection at a time, and neither parses nor reads more while others wait, so that a connection with
 * thousands of requests costs no more than many connections with one each. Between two of them everybody else is served.
 */
export class RequestTurns {
  private readonly connections = new WeakMap<Socket, Connection>();
  private readonly putOffUntilTurn: (() => void)[] = [];
  private turn: NodeJS.Immediate | undefined;
  private bytesInTurn = 0;

  /** Stands between a connection and Node's parser, which takes 64 KiB at once: 2,300 requests, and 100 ms. */
  watch(socket: Socket): void {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) throw new Error("Node's parser does not listen to the connection");
    const onData = (bytes: Buffer): void => {
      connection.unparsed.push(bytes);
      const isSmall = bytes.length <= smallBytes && !connection.isPutOff;
      if (isSmall || (!connection.isPutOff && this.mayTake(bytes.length))) this.parse(socket, connection);
      else this.putOff(socket, connection);
    };
    const connection: Connection = {
      isBusy: false,
      waiting: [],
      unparsed: [],
      isParsing: false,
      isPaused: false,
      isPutOff: false,
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
    // Node's parser, and what belongs to it, goes with it.
    this.connections.delete(socket);
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

  /** Counts the bytes if this turn has room for more. @returns whether it has */
  private mayTake(bytes: number): boolean {
    if (this.bytesInTurn >= maxTurnBytes) return false;
    this.bytesInTurn += bytes;
    this.turn ??= setImmediate(() => this.beginTurn());
    return true;
  }

  private beginTurn(): void {
    this.turn = undefined;
    this.bytesInTurn = 0;
    while (this.bytesInTurn < maxTurnBytes) {
      const goOn = this.putOffUntilTurn.shift();
      if (goOn === undefined) return;
      goOn();
    }
  }

  private putOff(socket: Socket, connection: Connection): void {
    connection.isPaused = true;
    // With each piece: Node resumes a connection when the body that it has parsed so far was read.
    socket.pause();
    if (connection.isPutOff) return;
    connection.isPutOff = true;
    this.putOffUntilTurn.push(() => {
      connection.isPutOff = false;
      this.mayTake(connection.unparsed.reduce((sum, { length }) => sum + length, 0));
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
