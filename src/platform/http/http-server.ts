/** The HTTPS server: connections, their identities, reloading and draining. */

import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../log/index.ts';
import { decodeRevocationLists, OidNames } from '../x509/index.ts';
import type { Authorization } from './authorization/index.ts';
import { BodyBudget } from './body-budget.ts';
import { answerClientError } from './client-error.ts';
import { ConnectionLimits, type ConnectionLimitsOptions } from './connection-limits.ts';
import { Dispatcher, type RequestSample } from './dispatcher.ts';
import { type Peer, readPeer } from './identity/peer.ts';
import { Revocations, type RevokedByIssuer } from './identity/revocations.ts';
import { TrustedProxies } from './identity/trusted-proxies.ts';
import { defaultLimits, type HttpLimits } from './limits.ts';
import { admitted, createNodeServer } from './node-server.ts';
import { clientAddress, plainAddress, proxiedAddress } from './proxy-protocol/proxied-addresses.ts';
import { pathProblem } from './request-path.ts';
import { RequestTurns } from './request-turns.ts';
import type { Identity, Route, SessionAuthenticator, TokenAuthenticator } from './route.ts';
import { secureContextOptions, type TlsMaterial } from './tls-material.ts';
import { TransferBudget } from './transfer-budget.ts';
import { UnreadAnswers } from './unread-answers.ts';

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  readonly authorization: Authorization;
  /** Plain HTTP when absent: behind a proxy that ends TLS, with `allow-header-cert-info`. */
  readonly tls?: TlsMaterial;
  readonly log: Logger;
  readonly limits?: Partial<HttpLimits>;
  /** The memory for bodies, which all servers of a process share; one of its own when absent. */
  readonly bodyBudget?: BodyBudget;
  /** The memory for bodies that arrive and answers that are not sent yet, shared as the other. */
  readonly transfers?: TransferBudget;
  /** Of this server alone. */
  readonly connectionLimits?: Partial<ConnectionLimitsOptions>;
  /** Announced as `X-Puppet-Version`. */
  readonly puppetVersion?: string;
  /** Called once for each request that was answered. */
  readonly onServed?: (sample: RequestSample) => void;
  /** Whose `X-Client-...` headers are believed, where the rules allow them at all; none when absent. */
  readonly trustedProxies?: TrustedProxies;
  /** Short names of extensions in certificates; Puppet's own when absent. */
  readonly oidNames?: OidNames;
  /**
   * Whether a client is another server of the installation: it may call routes for those, and what it asks is logged at
   * `debug`. Certificates with `pp_auth_role: pe_compiler` when absent.
   */
  readonly isInfrastructure?: (identity: Identity) => boolean;
  /** Finds users by their tokens; without it no token is valid. */
  readonly authenticate?: TokenAuthenticator;
  /** Finds users by the cookies of their sessions, where requests show no token; without it cookies mean nothing. */
  readonly authenticateSession?: SessionAuthenticator;
  /** Sent with every answer that does not say otherwise. */
  readonly answerHeaders?: OutgoingHttpHeaders;
  /** Whether clients are asked for certificates, which browsers show to people; yes when absent. */
  readonly asksForCertificates?: boolean;
  /**
   * Takes connections that ask for another protocol (WebSockets); plain requests when absent. Their identities do not hold the
   * certificate itself.
   */
  readonly onUpgrade?: UpgradeHandler;
  /** The most handshakes begun in a second; as many as the processor can do when absent. Others wait. */
  readonly handshakesPerSecond?: number;
  readonly nowMs?: () => number;
}

/** @returns what ends the connection when its certificate no longer counts; it is cut off when absent */
type UpgradeHandler = (
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
  peer: Peer,
) => (() => void) | undefined;

export interface HttpServer {
  /** @param port - 0 for any free one @returns the port that is listened on */
  listen(port: number, host?: string): Promise<number>;
  /** Uses new certificates and lists from now on, and ends connections of clients that they revoke. */
  reloadTls(material: TlsMaterial): void;
  /** As `reloadTls` for new revocation lists alone: cheap, however long they are. */
  setRevocationLists(lists: readonly RevokedByIssuer[]): void;
  setAuthorization(authorization: Authorization): void;
  readonly isDraining: boolean;
  readonly requestsInFlight: number;
  /**
   * Says that it will end (`isDraining`, which health checks show) and goes on serving for a while, so that load
   * balancers notice. Agents keep their connections meanwhile: one that is sent elsewhere between the metadata of its
   * plugins and their content may meet another version there. After that each connection ends with its next answer,
   * for as long as agents hold idle ones: they never try again when one is closed under a request. Ends at once when no
   * agent has asked for anything for `graceMs`, and no load balancer for the longest interval of health checks.
   *
   * @param isPolledElsewhere - whether load balancers ask another port about this one
   */
  retire(graceMs: number, isPolledElsewhere?: boolean): Promise<void>;
  /** Stops accepting, lets what is under way finish for at most `timeoutMs`, then closes everything. */
  drain(timeoutMs: number): Promise<void>;
}

/** @throws Error for routes that clash and for TLS material that OpenSSL cannot read */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new NodeHttpServer(options);
}

/** How long a client that was just revoked may wait for its last answer. */
const lastAnswerMs = 500;
/** `http_keepalive_timeout` of agents: they send nothing on connections that were idle for longer. */
const agentKeepAliveMs = 4000;
const connectionPollMs = 50;
/** Load balancers check at least this often: AWS allows intervals of up to 300 s. */
const longestCheckIntervalMs = 300_000;

class NodeHttpServer implements HttpServer {
  private readonly options: HttpServerOptions;
  private readonly oidNames: OidNames;
  private readonly server: Server | HttpsServer;
  private readonly dispatcher: Dispatcher;
  private readonly peers = new WeakMap<Socket, Peer>();
  private readonly connections = new Set<TLSSocket>();
  /** Those with a request that has not been answered yet. */
  private readonly answering = new WeakSet<Socket>();
  /** What ends connections that speak another protocol. */
  private readonly endings = new WeakMap<Socket, () => void>();
  private readonly turns = new RequestTurns();
  private readonly trustedProxies: TrustedProxies;
  private readonly connectionLimits: ConnectionLimits;
  private readonly unreadAnswers: UnreadAnswers;
  private revocations: Revocations | undefined;
  private draining = false;
  private closing = false;

  constructor(options: HttpServerOptions) {
    this.options = options;
    this.oidNames = options.oidNames ?? new OidNames();
    this.revocations = options.tls === undefined ? undefined : revocationsOf(options.tls);
    const limits = { ...defaultLimits, ...options.limits };
    this.trustedProxies = options.trustedProxies ?? new TrustedProxies([]);
    this.connectionLimits = new ConnectionLimits(options.connectionLimits);
    this.unreadAnswers = new UnreadAnswers({
      periodMs: limits.answerIdleTimeoutMs,
      onUnread: ({ socket }) =>
        options.log.info({ address: clientAddress(socket) }, 'client does not take its answer'),
    });
    this.dispatcher = new Dispatcher({
      routes: options.routes,
      authorization: options.authorization,
      log: options.log,
      limits,
      bodyBudget: options.bodyBudget ?? new BodyBudget(),
      transfers: options.transfers ?? new TransferBudget(),
      puppetVersion: options.puppetVersion ?? '7.23.0',
      onServed: options.onServed ?? ignore,
      isClosing: () => this.closing,
      oidNames: this.oidNames,
      trustedProxies: this.trustedProxies,
      isInfrastructure: options.isInfrastructure ?? hasCompilerRole,
      authenticate: options.authenticate,
      authenticateSession: options.authenticateSession,
      answerHeaders: options.answerHeaders ?? {},
      onUser: (socket, identity) => this.connectionLimits.rename(socket, identity),
    });
    this.server = createNodeServer(options.tls, limits, {
      requestTimeout: longestRequestMs(options.routes, limits),
      handshakesPerSecond: options.handshakesPerSecond ?? Number.POSITIVE_INFINITY,
      asksForCertificates: options.asksForCertificates ?? true,
      proxyHeaders: {
        isTrusted: (address) => this.trustedProxies.hasAddress(address),
        timeoutMs: limits.handshakeTimeoutMs,
        log: options.log,
      },
    });
    this.listenToEvents();
  }

  get isDraining(): boolean {
    return this.draining;
  }

  get requestsInFlight(): number {
    return this.dispatcher.requestsInFlight;
  }

  listen(port: number, host?: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => reject(listenError(error, port));
      this.server.once('error', refuse);
      this.server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
        this.server.off('error', refuse);
        // From now on it is about one connection, for which the system had no descriptor or memory left.
        this.server.on('error', (err) => this.options.log.warn({ err }, 'could not accept a connection'));
        const { port: opened } = this.server.address() as AddressInfo;
        const routes = this.options.routes.map(({ method, path }) => `${method} ${path}`);
        this.options.log.debug({ port: opened, routes }, 'serves routes');
        resolve(opened);
      });
    });
  }

  reloadTls(material: TlsMaterial): void {
    if (!('setSecureContext' in this.server)) return;
    const revocations = revocationsOf(material);
    const { ticketKeys, ...context } = secureContextOptions(material);
    this.server.setSecureContext(context);
    if (ticketKeys !== undefined) this.server.setTicketKeys(ticketKeys);
    this.revocations = revocations;
    this.endRefusedConnections();
  }

  setRevocationLists(lists: readonly RevokedByIssuer[]): void {
    this.revocations = this.revocations?.with(lists);
    this.endRefusedConnections();
  }

  setAuthorization(authorization: Authorization): void {
    this.dispatcher.setAuthorization(authorization);
  }

  async retire(graceMs: number, isPolledElsewhere = false): Promise<void> {
    this.draining = true;
    const { msSinceAgentRequest, msSinceHealthCheck } = this.dispatcher;
    const isPolled = isPolledElsewhere || msSinceHealthCheck < longestCheckIntervalMs;
    if (msSinceAgentRequest >= graceMs && !isPolled) return;
    await sleep(graceMs);
    this.closing = true;
    const endMs = performance.now() + agentKeepAliveMs;
    while ((await this.openConnections()) > 0 && performance.now() < endMs) await sleep(connectionPollMs);
  }

  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    this.closing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => {
      this.server.closeAllConnections();
      // Node no longer counts those that speak another protocol among its own.
      for (const socket of this.connections) socket.destroy();
    }, timeoutMs);
    await closed;
    clearTimeout(timer);
  }

  private openConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  private listenToEvents(): void {
    const { server, options } = this;
    const connectionEvent = options.tls === undefined ? admitted : 'secureConnection';
    server.on(connectionEvent, (socket: Socket) => this.turns.watch(socket));
    server.on('request', (message: IncomingMessage, reply: ServerResponse) => {
      const { socket } = message;
      this.turns.take(socket, () => {
        this.answering.add(socket);
        this.connectionLimits.begin(socket);
        this.unreadAnswers.watch(reply);
        reply.once('close', () => {
          this.answering.delete(socket);
          this.connectionLimits.end(socket);
          this.turns.next(socket);
        });
        void this.dispatcher.dispatch(message, reply, this.peerOf(socket));
      });
    });
    server.on('clientError', (error: Error, socket: Socket) => {
      // Without TLS there is no way to answer: what is written waits for the end of the handshake, which never comes.
      if (socket instanceof TLSSocket && !this.connections.has(socket)) socket.destroy();
      else answerClientError(error, socket, options.log);
    });
    const { onUpgrade } = options;
    if (onUpgrade !== undefined) {
      server.on('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) => {
        this.upgrade(message, socket, Buffer.concat([head, this.turns.release(socket)]), onUpgrade);
      });
    }
    server.on(connectionEvent, (socket: Socket) => {
      const peer = this.peerOf(socket);
      const isItself = this.trustedProxies.has(peer) && proxiedAddress(socket) === undefined;
      this.connectionLimits.add(socket, isItself ? 'proxy' : peer.identity);
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    server.on('tlsClientError', (error: Error & { readonly code?: string }, socket: TLSSocket) => {
      options.log.debug(
        { address: clientAddress(socket), code: error.code, err: error },
        'TLS handshake failed',
      );
    });
  }

  /** The certificate is read once; whether it still counts is looked up each time. */
  private peerOf(socket: Socket): Peer {
    const known = this.peers.get(socket);
    const peer = known ?? readSocketPeer(socket, this.revocations, this.oidNames);
    if (known === undefined) this.peers.set(socket, peer);
    if (peer.kind !== 'certificate') return peer;
    const refused = { kind: 'refused', subject: `CN=${peer.identity.certname}` } as const;
    const identity = { kind: 'anonymous', address: peer.identity.address } as const;
    const nowMs = (this.options.nowMs ?? Date.now)();
    const reason = this.revocations?.problem(peer.issuer, peer.identity.serial, nowMs);
    if (reason !== undefined) return { ...refused, reason, identity };
    return nowMs < peer.expiresAtMs ? peer : { ...refused, reason: 'certificate has expired', identity };
  }

  /** At once, or when what was let in before has been answered: somebody may have revoked his own certificate. */
  private endRefusedConnections(): void {
    for (const socket of this.connections) {
      if (this.peerOf(socket).kind !== 'refused') continue;
      const end = this.endings.get(socket);
      if (end !== undefined) end();
      else if (this.answering.has(socket)) setTimeout(() => socket.destroy(), lastAnswerMs).unref();
      else socket.destroy();
    }
  }

  private upgrade(message: IncomingMessage, socket: Socket, head: Buffer, accept: UpgradeHandler): void {
    this.connectionLimits.remove(socket);
    const peer = this.peerOf(socket);
    if (peer.kind === 'refused' || this.draining) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    if (pathProblem((message.url ?? '').split('?')[0] ?? '') !== undefined) {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    try {
      // Connections of other protocols last: what is known of them takes little memory.
      const kept = withoutCertificate(peer);
      this.peers.set(socket, kept);
      const end = accept(message, socket, head, kept);
      if (end !== undefined) this.endings.set(socket, end);
    } catch (err) {
      this.options.log.error({ err, path: message.url }, 'upgrade failed unexpectedly');
      socket.destroy();
    }
  }
}

/** Why a port cannot be opened, in words for the operator who chose it. */
function listenError(error: NodeJS.ErrnoException, port: number): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'is in use by another program',
    EACCES: 'may only be opened by root',
    EADDRNOTAVAIL: 'can not be opened: this machine does not have the address',
  };
  const reason = reasons[error.code ?? ''];
  if (reason === undefined) return error;
  return new ServiceError('unavailable', `Port ${port} ${reason}`, { cause: error });
}

/** Node knows one limit for all requests; those of routes apply to bodies that are read whole. */
function longestRequestMs(routes: readonly Route[], { requestTimeoutMs }: HttpLimits): number {
  return Math.max(requestTimeoutMs, ...routes.map(({ timeoutMs }) => timeoutMs ?? 0));
}

const noBytes = Buffer.alloc(0);

function withoutCertificate(peer: Peer): Peer {
  return peer.kind === 'certificate' ? { ...peer, identity: { ...peer.identity, raw: noBytes } } : peer;
}

function revocationsOf({ ca, crl }: TlsMaterial): Revocations {
  return Revocations.of(ca, crl === undefined ? undefined : decodeRevocationLists(crl));
}

function readSocketPeer(socket: Socket, trust: Revocations | undefined, oidNames: OidNames): Peer {
  if (socket instanceof TLSSocket && trust !== undefined) return readPeer(socket, trust, oidNames);
  const identity: Identity = { kind: 'anonymous', address: clientAddress(socket) };
  const isPassedOn = proxiedAddress(socket) !== undefined;
  return {
    kind: 'anonymous',
    identity,
    ...(isPassedOn && socket.remoteAddress !== undefined
      ? { proxy: plainAddress(socket.remoteAddress) }
      : {}),
  };
}

/** The role that the authority signs only when it is told to. */
export function hasCompilerRole(identity: Identity): boolean {
  return identity.kind === 'certificate' && identity.extensions['pp_auth_role'] === 'pe_compiler';
}

function ignore(): void {
  // not counted
}
