/** One request from its first line to its answer: who is it, may it, what does it get. */

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../log/index.ts';
import type { OidNames } from '../x509/index.ts';
import { AdmissionQueue } from './admission/index.ts';
import { type Authorization, Authorizer, forbidden } from './authorization/index.ts';
import type { BodyBudget } from './body-budget.ts';
import { clientKey } from './client-key.ts';
import { errorResponse, isUnder, unexpectedResponse } from './error-response.ts';
import { headerIdentity } from './identity/header-identity.ts';
import type { Peer } from './identity/peer.ts';
import type { TrustedProxies } from './identity/trusted-proxies.ts';
import { asksRules, isAllowed, isForServers, refusalOf, takesTokens, takeToken } from './identity-access.ts';
import { IncomingRequest } from './incoming-request.ts';
import type { HttpLimits } from './limits.ts';
import { notFoundPage } from './not-found-page.ts';
import { decodedPath, pathProblem } from './request-path.ts';
import type {
  Access,
  HttpResponse,
  Identity,
  Route,
  SessionAuthenticator,
  TokenAuthenticator,
} from './route.ts';
import { limitsOf } from './route-limits.ts';
import { type RouteMatch, RouteTable } from './route-table.ts';
import { sendResponse } from './send-response.ts';
import type { TransferBudget } from './transfer-budget.ts';

/** What was served, for metrics. */
export interface RequestSample {
  readonly method: string;
  /** The route's path pattern, `unknown` without a route. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly message: IncomingMessage;
  /** As it was sent, without what may not be shown. */
  readonly shownUrl: string;
  readonly address: string;
  /** Of the body, as far as it was known beforehand. */
  readonly bytes: number | undefined;
}

export interface DispatcherOptions {
  readonly routes: readonly Route[];
  readonly authorization: Authorization;
  readonly log: Logger;
  readonly limits: HttpLimits;
  readonly bodyBudget: BodyBudget;
  readonly transfers: TransferBudget;
  /** The Puppet whose behaviour is announced to agents. */
  readonly puppetVersion: string;
  readonly onServed: (sample: RequestSample) => void;
  /** Whether each answer is the last one on its connection. */
  readonly isClosing: () => boolean;
  /** Short names of extensions in certificates. */
  readonly oidNames: OidNames;
  /** Whose headers are believed, where the rules let proxies say who a client is. */
  readonly trustedProxies: TrustedProxies;
  /** Whether a client is another server of the installation, whose polls are not worth a line each. */
  readonly isInfrastructure: (identity: Identity) => boolean;
  /** Finds users by their tokens; without it no token is valid. */
  readonly authenticate: TokenAuthenticator | undefined;
  /** Finds users by the cookies of their sessions, where requests show no token; without it cookies mean nothing. */
  readonly authenticateSession: SessionAuthenticator | undefined;
  /** Sent with every answer that does not say otherwise. */
  readonly answerHeaders: OutgoingHttpHeaders;
  /** Called when a token has said who uses a connection. */
  readonly onUser: (socket: Socket, identity: Identity) => void;
}

/** What a request asks for. */
interface Target {
  readonly method: string;
  readonly path: string;
  /** Percent-decoded; `undefined` when that cannot be done. */
  readonly decodedPath: string | undefined;
  readonly query: URLSearchParams;
}

/** What is known of a request by the time that it is answered. */
interface Outcome {
  readonly response: HttpResponse;
  readonly route: Route | undefined;
  readonly identity: Identity;
  readonly error?: string;
}

interface Served {
  readonly message: IncomingMessage;
  readonly reply: ServerResponse;
  readonly outcome: Outcome;
  readonly target: Target;
  readonly durationMs: number;
}

const noQuery = new URLSearchParams();

export class Dispatcher {
  private readonly options: DispatcherOptions;
  private readonly routes: RouteTable;
  private authorizer: Authorizer;
  private allowHeaderCertInfo: boolean;
  private hasToldOfHeaders = false;
  private readonly line = new AdmissionQueue();
  private inFlight = 0;
  private agentsInFlight = 0;
  private lastAgentRequestMs = Number.NEGATIVE_INFINITY;
  private lastHealthCheckMs = Number.NEGATIVE_INFINITY;

  constructor(options: DispatcherOptions) {
    this.options = options;
    this.routes = new RouteTable(options.routes);
    this.authorizer = new Authorizer(options.authorization.rules);
    this.allowHeaderCertInfo = options.authorization.allowHeaderCertInfo;
  }

  get requestsInFlight(): number {
    return this.inFlight;
  }

  /** 0 while one is being answered. Health checks and other servers don't count. */
  get msSinceAgentRequest(): number {
    if (this.agentsInFlight > 0) return 0;
    return performance.now() - this.lastAgentRequestMs;
  }

  /** Health checks of other servers of the installation don't count. */
  get msSinceHealthCheck(): number {
    return performance.now() - this.lastHealthCheckMs;
  }

  setAuthorization(authorization: Authorization): void {
    this.authorizer = new Authorizer(authorization.rules);
    this.allowHeaderCertInfo = authorization.allowHeaderCertInfo;
  }

  /** Never rejects: whatever goes wrong is answered and logged here. */
  async dispatch(message: IncomingMessage, reply: ServerResponse, peer: Peer): Promise<void> {
    const startedMs = performance.now();
    const target = readTarget(message);
    this.inFlight++;
    let outcome: Outcome | undefined;
    try {
      outcome = await this.outcome(message, reply, peer, target);
      await this.send(message, reply, outcome, target);
      this.record({ message, reply, outcome, target, durationMs: performance.now() - startedMs });
    } catch (err) {
      // The answer was under way already: a streamed body failed or the client left.
      reply.destroy();
      const path = loggedPath(outcome?.route, target);
      this.options.log.info({ err, method: message.method, path }, 'answer was cut short');
    } finally {
      this.inFlight--;
    }
  }

  private async outcome(
    message: IncomingMessage,
    reply: ServerResponse,
    peer: Peer,
    target: Target,
  ): Promise<Outcome> {
    let { identity } = peer;
    let match: RouteMatch = { kind: 'unknown' };
    try {
      if (this.isProxied(message, peer))
        identity = headerIdentity(message.headers, identity.address, this.options.oidNames);
      else if (peer.kind === 'refused') return refusedOutcome(peer);
      if (target.decodedPath === undefined) throw new ServiceError('bad-request', 'The path is not valid');
      match = this.routes.find(target.method, target.path);
      const problem = pathProblem(target.path, match.kind === 'route' ? match.route.takesInPath : undefined);
      if (problem !== undefined)
        return { response: { status: 400, body: problem }, route: undefined, identity, error: problem };
      if (match.kind !== 'route')
        return { response: unmatched(match.kind, target.path), route: undefined, identity };
      identity = await this.authenticated(message, match.route, target, identity);
      const refusal = this.refusal(match.route, target, identity);
      if (refusal !== undefined) return { ...refusal, route: match.route, identity };
      const request = new IncomingRequest({
        message,
        reply,
        path: target.path,
        query: target.query,
        params: match.params,
        identity,
        budget: this.options.bodyBudget,
        transfers: this.options.transfers,
        limits: limitsOf(match.route, identity, this.options.limits),
      });
      const response = await this.counted(match.route, request);
      return {
        ...this.unlessRightsEnded(response, match.route, target, identity),
        route: match.route,
        identity,
      };
    } catch (error) {
      const route = match.kind === 'route' ? match.route : undefined;
      const path = route?.authorizedAs?.(target.path) ?? target.path;
      return { ...this.failure(error, message, path, loggedPath(route, target)), route, identity };
    }
  }

  /** Whether headers say who asks. Those of a client that is no proxy of ours are left aside, which is told once. */
  private isProxied({ headers }: IncomingMessage, peer: Peer): boolean {
    if (!this.allowHeaderCertInfo) return false;
    if (this.options.trustedProxies.has(peer)) return true;
    if (headers['x-client-verify'] !== undefined && !this.hasToldOfHeaders) {
      this.hasToldOfHeaders = true;
      const { address } = peer.identity;
      this.options.log.warn({ address }, 'ignores X-Client-Verify: trusted_proxies does not name the sender');
    }
    return false;
  }

  /** A token decides the identity, even when a certificate is presented; a wrong one is never ignored. */
  private async authenticated(
    { headers, socket }: IncomingMessage,
    route: Route,
    { method, path, query }: Target,
    identity: Identity,
  ): Promise<Identity> {
    const { authenticate, authenticateSession } = this.options;
    if (authenticate === undefined || !takesTokens(route.allow)) return identity;
    const token = takeToken(headers, query);
    const user =
      token === undefined
        ? await authenticateSession?.({ method, path, headers }, identity.address)
        : await authenticate(token, identity.address);
    if (user === undefined) return identity;
    this.options.onUser(socket, user);
    return user;
  }

  private async counted(route: Route, request: IncomingRequest): Promise<HttpResponse> {
    if (!this.isOfAgent(route, request.identity)) return this.handled(route, request);
    this.agentsInFlight += 1;
    try {
      return await this.handled(route, request);
    } finally {
      this.agentsInFlight -= 1;
    }
  }

  /** A request that has to wait is queued before its body is read: bodies are large. */
  private async handled(route: Route, request: IncomingRequest): Promise<HttpResponse> {
    const leave = route.gate && (await this.line.pass(route.gate, request));
    try {
      return await route.handle(request);
    } finally {
      leave?.();
      request.release();
    }
  }

  /** Servers ask for news and wait: a server that has lost its rights meanwhile gets none. */
  private unlessRightsEnded(
    response: HttpResponse,
    route: Route,
    target: Target,
    identity: Identity,
  ): { readonly response: HttpResponse; readonly error?: string } {
    if (target.method !== 'GET' || !isForServers(route.allow)) return { response };
    const refusal = this.refusal(route, target, identity);
    if (refusal === undefined) return { response };
    if (response.body instanceof Readable) response.body.destroy();
    return refusal;
  }

  private refusal(
    route: Route,
    target: Target,
    identity: Identity,
  ): { readonly response: HttpResponse; readonly error: string } | undefined {
    const decision = this.decide(route.allow, route, target, identity);
    if (decision.kind === 'allowed') return undefined;
    if (identity.kind === 'user' || (takesTokens(route.allow) && !asksRules(route.allow))) {
      const error = refusalOf(identity);
      return { response: errorResponse(error, target.path), error: error.message };
    }
    return { response: { status: 403, body: decision.message }, error: decision.reason };
  }

  /** @param allow - the route's, or a part of it */
  private decide(
    allow: Access,
    route: Route,
    target: Target,
    identity: Identity,
  ): ReturnType<Authorizer['decide']> {
    switch (allow.kind) {
      case 'rules': {
        const decoded = target.decodedPath ?? target.path;
        const path = route.authorizedAs?.(decoded) ?? decoded;
        const request = { method: target.method, path, query: target.query };
        return this.authorizer.decide(request, identity, target.path);
      }
      case 'infrastructure':
        if (this.options.isInfrastructure(identity)) return { kind: 'allowed' };
        return forbidden(target.method, target.path, identity, allow.kind);
      case 'any-of': {
        const decisions = allow.of.map((each) => this.decide(each, route, target, identity));
        return (
          decisions.find(({ kind }) => kind === 'allowed') ??
          decisions[0] ??
          forbidden(target.method, target.path, identity, allow.kind)
        );
      }
      default:
        if (isAllowed(allow, identity)) return { kind: 'allowed' };
        return forbidden(
          target.method,
          target.path,
          identity,
          allow.kind === 'extension' ? allow.name : allow.kind,
        );
    }
  }

  private failure(
    error: unknown,
    message: IncomingMessage,
    path: string,
    shownPath: string,
  ): { readonly response: HttpResponse; readonly error?: string } {
    if (error instanceof ServiceError) {
      return { response: errorResponse(error, path), error: error.message };
    }
    this.options.log.error(
      { err: error, method: message.method, path: shownPath },
      'request failed unexpectedly',
    );
    return { response: unexpectedResponse(error, path) };
  }

  private async send(
    message: IncomingMessage,
    reply: ServerResponse,
    outcome: Outcome,
    target: Target,
  ): Promise<void> {
    const isPuppet = outcome.route !== undefined && announcesPuppet(target.path);
    const { response } = outcome;
    await sendResponse(
      reply,
      { ...response, headers: { ...this.options.answerHeaders, ...response.headers } },
      {
        method: message.method ?? 'GET',
        acceptEncoding: message.headers['accept-encoding'],
        puppetVersion: isPuppet ? this.options.puppetVersion : undefined,
        beginTransfer: (drop) => this.options.transfers.begin(clientKey(outcome.identity), drop),
        closesConnection: this.options.isClosing() || outcome.response.status === 408 || isPutOff(outcome),
      },
    );
  }

  private record({ durationMs, message, outcome, reply, target }: Served): void {
    const { logged, status } = outcome.response;
    const method = message.method ?? '';
    const route = outcome.route?.path ?? 'unknown';
    const { address } = outcome.identity;
    const length = reply.getHeader('content-length');
    const bytes = length === undefined ? undefined : Number(length);
    const shownUrl = shownUrlOf(message.url ?? '/', outcome.route);
    this.options.onServed({ method, route, status, durationMs, message, shownUrl, address, bytes });
    const fields = {
      ...who(outcome.identity),
      method,
      path: loggedPath(outcome.route, target),
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(outcome.error === undefined ? {} : { error: outcome.error }),
      ...logged?.fields,
    };
    const { log } = this.options;
    if (outcome.route !== undefined) this.noteWhen(outcome.route, outcome.identity);
    if (this.isRoutine(outcome)) log.debug(fields, 'served request');
    else if (status === 403) log.warn(fields, 'refused request');
    else if (isPutOff(outcome)) log.info(fields, 'asked to come back later');
    else if (status === 503) log.warn(fields, 'could not serve request');
    else if (status >= 500) log.error(fields, 'could not serve request');
    else log.info(fields, logged?.message ?? 'served request');
  }

  private noteWhen(route: Route, identity: Identity): void {
    if (this.isOfAgent(route, identity)) this.lastAgentRequestMs = performance.now();
    else if (route.isHealthCheck === true && !this.options.isInfrastructure(identity))
      this.lastHealthCheckMs = performance.now();
  }

  private isOfAgent(route: Route, identity: Identity): boolean {
    return route.allow.kind === 'rules' && !this.options.isInfrastructure(identity);
  }

  /** Health checks come every second from every load balancer, whatever they are told; other servers poll. */
  private isRoutine({ identity, response, route }: Outcome): boolean {
    if (route?.allow.kind === 'anyone') return response.status < 500 || response.status === 503;
    return response.status < 400 && this.options.isInfrastructure(identity);
  }
}

/** Those who are to come back later hold no connection until then. */
function isPutOff({ response: { headers, status } }: Outcome): boolean {
  return status === 503 && headers?.['Retry-After'] !== undefined;
}

function readTarget({ method = '', url = '/' }: IncomingMessage): Target {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? noQuery : new URLSearchParams(url.slice(mark + 1));
  return { method, path, decodedPath: decodedPath(path), query };
}

function loggedPath(route: Route | undefined, target: Target): string {
  return route?.isPathSecret === true ? route.path : target.path;
}

/** Tokens may stand in the query; what follows a secret path is as secret. */
function shownUrlOf(url: string, route: Route | undefined): string {
  if (route?.isPathSecret === true) return route.path;
  return url.replace(/([?&]token=)[^&]*/g, '$1...');
}

/** What the authority says of its own paths that do not exist. */
const notFoundText: HttpResponse = {
  status: 404,
  headers: { 'Content-Type': 'text/html;charset=utf-8' },
  body: 'Not Found',
};

function unmatched(kind: 'wrong-method' | 'unknown', path: string): HttpResponse {
  if (kind === 'wrong-method') return { status: 404 };
  return isUnder(path, '/puppet-ca') ? notFoundText : notFoundPage(path);
}

function refusedOutcome(peer: Extract<Peer, { kind: 'refused' }>): Outcome {
  const error = `${peer.reason} [${peer.reason} for ${peer.subject}]`;
  // Agents print the phrase of the status line where they ignore the body (plugins), the body elsewhere.
  const reason = `Forbidden: ${peer.reason}`;
  const response = {
    status: 403,
    reason,
    headers: { Connection: 'close' },
    body: `Forbidden request: ${error}`,
  };
  return { response, route: undefined, identity: peer.identity, error };
}

function who(identity: Identity): {
  readonly certname?: string;
  readonly login?: string;
  readonly address: string;
} {
  const { address, kind } = identity;
  if (kind === 'user') return { login: identity.login, address };
  return kind === 'certificate' ? { certname: identity.certname, address } : { address };
}

function announcesPuppet(path: string): boolean {
  return isUnder(path, '/puppet') || isUnder(path, '/puppet-ca');
}
