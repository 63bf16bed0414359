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
 * The most handshakes under way at a time. Their last messages can all arrive in one turn of the event loop, however many turns
 * they were begun in. Each costs 0.6 ms: the check of the certificate, and the request that follows.
 */
const maxInFlight = 32;
/**
 * A handshake that takes longer no longer counts as under way, so a client that stalls does not block the others for long. To
 * fill all places an attacker needs 160 handshakes a second, which use a third of a processor in any case.
 */
const inFlightMs = 200;
/** The most slow handshakes. Above that the oldest is closed, if it has been slow for `fastClientMs`. */
const maxSlow = 256;
const fastClientMs = 2000;
/**
 * Where a rate is stated, a connection that has waited for so long is closed instead: pxp-agents give up after five seconds, and a
 * handshake with one that has left costs as much as any other. While the server does not read, it does not see them leave.
 */
const maxWaitMs = 4000;
/**
 * When the oldest has waited for so long, the newest comes first: it has most of its five seconds left. In the order of coming, all
 * would begin when they are about to give up.
 */
const fairWaitMs = 1000;

/** Calls back when a handshake can begin without waiting for more of the client. */
export type WhenReady = (socket: Socket, begin: () => void) => void;

/**
 * Makes a server, created with `pauseOnConnect`, begin few handshakes at a time; the other connections wait, at the
 * price of a socket. Addresses take turns, so that who comes alone (another server, a health check) does not wait for a
 * crowd from elsewhere; those of one address are taken in the order in which they came.
 *
 * @param perSecond - how many may begin in a second, infinite for no limit
 */
export function paceHandshakes(server: Server, perSecond: number, whenReady: WhenReady): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  const waiting = new Turns(perSecond !== Number.POSITIVE_INFINITY);
  let begunInTurn = 0;
  let turn: NodeJS.Immediate | undefined;
  const allowance = new Allowance(perSecond, () => scheduleTurn());
  const scheduleTurn = (): void => {
    turn ??= setImmediate(() => {
      turn = undefined;
      begunInTurn = 0;
      while (mayBegin()) {
        const socket = waiting.take();
        if (socket === undefined) return;
        if (!socket.destroyed) beginNow(socket);
      }
    });
  };
  const unfinished = new Unfinished(() => {
    if (!waiting.isEmpty) scheduleTurn();
  });
  const mayBegin = (): boolean =>
    begunInTurn < handshakesPerTurn && unfinished.inFlight < maxInFlight && allowance.hasOne();
  const beginNow = (socket: Socket): void => {
    begunInTurn += 1;
    allowance.take();
    scheduleTurn();
    unfinished.add(socket);
    for (const listener of begin) listener.call(server, socket);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    whenReady(socket, () => {
      if (waiting.isEmpty && mayBegin()) beginNow(socket);
      else waiting.add(socket);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => unfinished.remove(socket));
}

/** How many handshakes may begin now: a tenth of a second's share at once, then one after the other. */
class Allowance {
  private readonly perSecond: number;
  private readonly most: number;
  private readonly onMore: () => void;
  private left: number;
  private atMs = performance.now();
  private timer: NodeJS.Timeout | undefined;

  /** @param onMore - called some time after there was none */
  constructor(perSecond: number, onMore: () => void) {
    this.perSecond = perSecond;
    this.most = Math.max(1, perSecond / 10);
    this.left = this.most;
    this.onMore = onMore;
  }

  hasOne(): boolean {
    if (this.perSecond === Number.POSITIVE_INFINITY) return true;
    const nowMs = performance.now();
    this.left = Math.min(this.most, this.left + ((nowMs - this.atMs) / 1000) * this.perSecond);
    this.atMs = nowMs;
    if (this.left >= 1) return true;
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.onMore();
      },
      Math.ceil(((1 - this.left) / this.perSecond) * 1000),
    ).unref();
    return false;
  }

  take(): void {
    this.left -= 1;
  }
}

/** Connections whose handshake has begun. The one with TLS is another object than that below it, with the same address. */
class Unfinished {
  /** Each with the timer that ends its time among those under way. */
  private readonly fast = new Map<string, { readonly socket: Socket; readonly timer: NodeJS.Timeout }>();
  private readonly slow = new Map<string, { readonly socket: Socket; readonly sinceMs: number }>();
  private readonly onRoom: () => void;

  /** @param onRoom - called each time that one fewer is under way */
  constructor(onRoom: () => void) {
    this.onRoom = onRoom;
  }

  get inFlight(): number {
    return this.fast.size;
  }

  add(socket: Socket): void {
    const key = endOf(socket);
    const timer = setTimeout(() => this.countAsSlow(key), inFlightMs).unref();
    this.fast.set(key, { socket, timer });
    socket.once('close', () => this.removeKey(key));
  }

  remove(socket: Socket): void {
    this.removeKey(endOf(socket));
  }

  private removeKey(key: string): void {
    this.slow.delete(key);
    const entry = this.fast.get(key);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.fast.delete(key);
    this.onRoom();
  }

  private countAsSlow(key: string): void {
    const entry = this.fast.get(key);
    if (entry === undefined) return;
    this.fast.delete(key);
    this.slow.set(key, { socket: entry.socket, sinceMs: performance.now() });
    if (this.slow.size > maxSlow) this.makeRoom();
    this.onRoom();
  }

  private makeRoom(): void {
    const [[key, oldest] = []] = this.slow;
    if (key === undefined || oldest === undefined || performance.now() - oldest.sinceMs < fastClientMs)
      return;
    this.slow.delete(key);
    oldest.socket.destroy();
  }
}

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Sockets that wait, by address. */
class Turns {
  /** In the order in which they have their next turn. */
  private readonly queues = new Map<string, Queue>();
  private readonly hasRate: boolean;

  /** @param hasRate - whether clients may wait for longer than they are patient */
  constructor(hasRate: boolean) {
    this.hasRate = hasRate;
  }

  get isEmpty(): boolean {
    return this.queues.size === 0;
  }

  add(socket: Socket): void {
    const address = clientAddress(socket);
    const queue = this.queues.get(address);
    const entry = { socket, cameAtMs: performance.now() };
    if (queue === undefined) this.queues.set(address, { entries: [entry], taken: 0 });
    else queue.entries.push(entry);
  }

  take(): Socket | undefined {
    for (const [address, queue] of this.queues) {
      const socket = this.hasRate ? takePatient(queue) : takeOldest(queue);
      this.queues.delete(address);
      if (queue.taken < queue.entries.length) this.queues.set(address, compacted(queue));
      if (socket !== undefined) return socket;
    }
    return undefined;
  }
}

function takeOldest(queue: Queue): Socket | undefined {
  const entry = queue.entries[queue.taken];
  queue.taken += 1;
  return entry?.socket;
}

/** @returns `undefined` when all have waited for too long */
function takePatient(queue: Queue): Socket | undefined {
  const nowMs = performance.now();
  const waitedMs = (): number => nowMs - (queue.entries[queue.taken]?.cameAtMs ?? nowMs);
  while (waitedMs() > maxWaitMs) takeOldest(queue)?.destroy();
  return waitedMs() > fairWaitMs ? queue.entries.pop()?.socket : takeOldest(queue);
}

interface Queue {
  readonly entries: { readonly socket: Socket; readonly cameAtMs: number }[];
  /** How many at its beginning are gone. */
  taken: number;
}

/** To take the first of thousands away each time would move all others. */
function compacted(queue: Queue): Queue {
  if (queue.taken < 1000) return queue;
  return { entries: queue.entries.slice(queue.taken), taken: 0 };
}
