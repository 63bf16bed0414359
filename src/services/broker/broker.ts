/**
 * A PCP broker: who is connected, what they may send, and where it goes. Knows neither sockets nor threads.
 *
 * @see pcp-specifications, versions 1.0 and 2.0; pcp-broker, README.md and doc/
 */

import type { Logger } from '../../platform/log/index.ts';
import type { WebSocketEvents } from '../../platform/websocket/index.ts';
import type { Access } from './access-line.ts';
import { CallTimer, type TimerFigures } from './call-timer.ts';
import { type ControllerLink, Controllers } from './controllers.ts';
import { codecV2 } from './messages/codec-v2.ts';
import { brokerUri, messageTypes } from './messages/message.ts';
import { parseUri, serverType } from './messages/uri.ts';
import { noControllers, notRunning, type Refusal, refusalOf } from './refusals.ts';
import { type Party, Router } from './router.ts';
import type { MessageRules } from './rules.ts';
import { type Client, type ClientIdentity, Session, type Wire } from './session.ts';
import { Sessions } from './sessions.ts';
import { Throttle } from './throttle.ts';

export interface BrokerOptions {
  readonly rules: MessageRules;
  readonly log: Logger;
  readonly onAccess?: (access: Access) => void;
  /** 0 for no limit. */
  readonly maxConnections: number;
  readonly messagesPerSecond: number;
  readonly idleTimeoutMs: number;
  /** Whether it serves only while it is connected to an orchestrator. */
  readonly expectsControllers: boolean;
  readonly controllerGraceMs: number;
  readonly nowMs: () => number;
}

/** Updates are collected for so long: thousands of agents may come together. */
const updateIntervalMs = 200;
const idleCheckMs = 10_000;
/** Clients that are sent away leave at this pace: each is at another broker after a moment. */
const closingPerSecond = 100;
const closingStepMs = 50;
/** What controllers may send, instead of rules. */
const controllerTypes: readonly string[] = [
  messageTypes.inventoryRequest,
  messageTypes.blockingRequest,
  messageTypes.nonBlockingRequest,
];

export class Broker {
  private readonly options: BrokerOptions;
  private readonly sessions = new Sessions();
  private readonly controllers: Controllers;
  private readonly throttle: Throttle;
  private readonly router: Router;
  private readonly timed: Readonly<Record<'on-connect' | 'on-close' | 'on-message' | 'on-send', CallTimer>>;
  private readonly timers: readonly NodeJS.Timeout[];
  private rules: MessageRules;
  private life: 'starting' | 'running' | 'stopping' = 'starting';
  private closing: NodeJS.Timeout | undefined;

  constructor(options: BrokerOptions) {
    this.options = options;
    this.rules = options.rules;
    this.throttle = new Throttle(options.messagesPerSecond, options.nowMs);
    const timer = (): CallTimer => new CallTimer(() => performance.now());
    this.timed = { 'on-connect': timer(), 'on-close': timer(), 'on-message': timer(), 'on-send': timer() };
    this.controllers = new Controllers({
      areExpected: options.expectsControllers,
      graceMs: options.controllerGraceMs,
      onGraceOver: () => this.isolate(),
    });
    this.router = new Router({
      sessions: this.sessions,
      controllers: this.controllers,
      log: options.log,
      onAccess: options.onAccess ?? ignore,
      send: (wire, frame) => this.timed['on-send'].time(() => wire.send(frame)),
      onCongestion: (session, isOver) => this.throttle.pauseUntil(session, isOver),
    });
    this.timers = [
      setInterval(() => this.sessions.inventory.flush(), updateIntervalMs),
      setInterval(() => this.closeIdle(), idleCheckMs),
    ];
  }

  get state(): 'starting' | 'running' | 'stopping' | 'error' {
    if (this.life !== 'running') return this.life;
    if (this.controllers.isFirstAwaited) return 'starting';
    return this.controllers.areLost ? 'error' : 'running';
  }

  get connections(): number {
    return this.sessions.size;
  }

  get controllerNames(): readonly string[] {
    return this.controllers.names;
  }

  /** By the names of pcp-broker. */
  metrics(): Readonly<Record<string, TimerFigures>> {
    return Object.fromEntries(
      Object.entries(this.timed).map(([name, timer]) => [`puppetlabs.pcp.${name}`, timer.figures()]),
    );
  }

  start(): void {
    this.life = 'running';
  }

  /** Accepts no new clients, and sends those that are there away, no faster than other brokers take them. */
  async retire(withinMs: number): Promise<void> {
    this.life = 'stopping';
    const perSecond = Math.max(closingPerSecond, (this.sessions.size / Math.max(1, withinMs)) * 1000);
    await new Promise<void>((resolve) => this.closeAll(1011, notRunning, { perSecond, onDone: resolve }));
  }

  stop(): void {
    this.life = 'stopping';
    for (const timer of [...this.timers, this.closing]) clearInterval(timer);
    this.controllers.stop();
    this.throttle.stop();
    for (const session of this.sessions.all()) session.close(1011, notRunning);
  }

  /** Ends what has not ended by itself after `stop`. */
  cut(): void {
    for (const session of this.sessions.all()) session.cut();
  }

  setRules(rules: MessageRules): void {
    this.rules = rules;
  }

  /** @param identity - absent for a client without a certificate */
  refusal(identity: ClientIdentity | undefined, client: Client | undefined): Refusal | undefined {
    const { maxConnections } = this.options;
    return refusalOf({
      isRunning: this.life === 'running',
      hasCertificate: identity !== undefined,
      isIsolated: this.controllers.areLost,
      isFull: maxConnections > 0 && this.sessions.size >= maxConnections,
      mayAssociate: () => client !== undefined && this.mayAssociate(client),
    });
  }

  /** A client whose connection is open and not refused. */
  connect(client: Client, wire: Wire): WebSocketEvents & { readonly session: Session } {
    return this.timed['on-connect'].time(() => this.open(client, wire));
  }

  private open(client: Client, wire: Wire): WebSocketEvents & { readonly session: Session } {
    const { log, nowMs } = this.options;
    const session = new Session(client, wire, nowMs());
    const replaced = this.sessions.add(session);
    if (replaced !== undefined) {
      log.warn({ client: client.uri, address: client.identity.address }, 'client has connected again');
      replaced.cut();
    }
    const party = this.partyOf(session);
    return {
      session,
      message: (frame) => {
        if (session.isOver) return;
        this.throttle.count(session);
        this.timed['on-message'].time(() => this.router.accept(party, client.codec.decode(frame)));
      },
      closed: (code, reason) =>
        this.timed['on-close'].time(() => {
          session.isOver = true;
          this.throttle.forget(session);
          this.sessions.remove(session);
          log.debug({ client: client.uri, code, reason }, 'client has disconnected');
        }),
    };
  }

  /** A controller that is connected. */
  attach(link: ControllerLink): { message(text: string | Buffer): void; lost(): void } {
    const { log } = this.options;
    const party: Party = {
      owner: link,
      uri: link.uri,
      name: parseUri(link.uri)?.name ?? '',
      address: link.uri,
      maySend: ({ messageType }) => controllerTypes.includes(messageType),
      reply: (message) => link.send(codecV2.encode(message) as string),
    };
    this.controllers.add(link);
    log.info({ controller: link.uri }, 'controller is connected');
    return {
      message: (text) => this.router.accept(party, codecV2.decode(text)),
      lost: () => {
        this.sessions.inventory.unsubscribe(link);
        this.controllers.remove(link);
        log.warn({ controller: link.uri }, 'controller is disconnected');
      },
    };
  }

  private partyOf(session: Session): Party {
    const { codec, identity, uri } = session.client;
    return {
      owner: session,
      uri,
      name: identity.certname,
      address: identity.address,
      session,
      maySend: (header) => this.rules.allow(identity, header),
      reply: (message) => session.wire.send(codec.encode(message)),
    };
  }

  private mayAssociate({ identity, uri }: Client): boolean {
    if (parseUri(uri)?.type === serverType) return false;
    const messageType = messageTypes.associateRequest;
    return this.rules.allow(identity, { sender: uri, targets: [brokerUri], messageType });
  }

  /** All controllers have been away for too long: clients look for another broker. */
  private isolate(): void {
    this.options.log.warn(
      { clients: this.sessions.size },
      'sends clients away, since no controller is connected',
    );
    this.closeAll(1011, noControllers, {
      perSecond: closingPerSecond,
      isStillDue: () => this.controllers.areLost,
    });
  }

  private closeAll(
    code: number,
    text: string,
    pace: { readonly perSecond: number; isStillDue?(): boolean; onDone?(): void },
  ): void {
    clearInterval(this.closing);
    const waiting = this.sessions.all().values();
    const portion = Math.max(1, Math.round((pace.perSecond * closingStepMs) / 1000));
    const step = (): void => {
      const due = pace.isStillDue?.() === false ? [] : Array.from(waiting.take(portion));
      for (const session of due) session.close(code, text);
      if (due.length === portion) return;
      clearInterval(this.closing);
      pace.onDone?.();
    };
    this.closing = setInterval(step, closingStepMs);
    step();
  }

  private closeIdle(): void {
    const { idleTimeoutMs, log, nowMs } = this.options;
    for (const session of this.sessions.all()) {
      if (session.silentMs(nowMs()) < idleTimeoutMs) continue;
      log.info({ client: session.client.uri }, 'client has been silent for too long');
      session.close(1001, 'Idle Timeout');
    }
  }
}

function ignore(): void {
  // no access log
}
