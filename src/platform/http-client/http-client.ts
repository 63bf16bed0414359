/** Requests to other servers of the installation, over mutual TLS. */

import { lookup } from 'node:dns';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';

/** What we show to the other side and what we trust, all PEM. */
export interface ClientCredentials {
  /** IP addresses of hosts, by name, for which DNS is not asked. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Trusted authorities; absent only while nothing is known yet (a first download of the CA). */
  readonly ca?: string;
  /** Lists of all authorities in the chain; when given, revoked servers are refused. */
  readonly crl?: string;
  readonly certificate?: string;
  readonly privateKey?: string;
}

export interface ClientRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | Readable;
  readonly signal?: AbortSignal;
  /** Until the last byte of the answer; 30 s when absent. */
  readonly timeoutMs?: number;
  /** Sent on a connection that no other request uses: for what somebody else wants to be sent. */
  readonly hasOwnConnection?: boolean;
}

export interface ClientResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface StreamedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

const defaultTimeoutMs = 30_000;

/** Keeps connections open between requests. `close()` ends them. */
export class HttpClient {
  private agent: Agent;
  /** Its connections serve one request each. */
  private lone: Agent;
  private readonly headers: OutgoingHttpHeaders;

  /** @param headers - of every request */
  constructor(credentials: ClientCredentials, headers: OutgoingHttpHeaders = {}) {
    this.headers = headers;
    this.agent = createAgent(credentials);
    this.lone = createAgent(credentials, false);
  }

  /** Uses new credentials for all requests from now on. Those in flight end as they began. */
  setCredentials(credentials: ClientCredentials): void {
    const former = this.agent;
    this.agent = createAgent(credentials);
    this.lone = createAgent(credentials, false);
    // A connection is closed, instead of kept, when its request has ended.
    former.maxFreeSockets = 0;
    for (const sockets of Object.values(former.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.agent.destroy();
    this.lone.destroy();
  }

  /**
   * Sends a request and reads the whole answer, whatever its status.
   *
   * @throws ServiceError `unavailable` when there is no answer (connection refused, TLS fails), `timeout` when
   * it does not come in time
   */
  async send(request: ClientRequest): Promise<ClientResponse> {
    const response = await this.stream(request);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response.body) chunks.push(chunk as Buffer);
    } catch (error) {
      throw asServiceError(request, error);
    }
    return { status: response.status, headers: response.headers, body: Buffer.concat(chunks) };
  }

  /** As `send`, with the answer's body as it arrives. */
  stream(request: ClientRequest): Promise<StreamedResponse> {
    return new Promise((resolve, reject) => {
      const signals = [AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs)];
      if (request.signal !== undefined) signals.push(request.signal);
      const outgoing = startRequest(
        request.url,
        {
          method: request.method,
          agent: request.hasOwnConnection === true ? this.lone : this.agent,
          signal: AbortSignal.any(signals),
          headers: { ...this.headers, ...lengthOf(request.body), ...request.headers },
        },
        (incoming: IncomingMessage) =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming }),
      );
      outgoing.on('error', (error) => reject(asServiceError(request, error)));
      sendBody(outgoing, request.body);
    });
  }
}

/** Node says it by itself, except with DELETE. */
function lengthOf(body: ClientRequest['body']): OutgoingHttpHeaders {
  return typeof body === 'string' || Buffer.isBuffer(body)
    ? { 'content-length': Buffer.byteLength(body) }
    : {};
}

function sendBody(outgoing: ReturnType<typeof startRequest>, body: ClientRequest['body']): void {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    outgoing.end(body);
    return;
  }
  body.on('error', (error) => outgoing.destroy(error));
  body.pipe(outgoing);
}

function createAgent(credentials: ClientCredentials, keepAlive = true): Agent {
  return new Agent({
    keepAlive,
    maxSockets: 64,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: credentials.ca !== undefined,
    ...(credentials.ca === undefined ? {} : { ca: credentials.ca }),
    ...(credentials.crl === undefined ? {} : { crl: listsIn(credentials.crl) }),
    ...(credentials.certificate === undefined ? {} : { cert: credentials.certificate }),
    ...(credentials.privateKey === undefined ? {} : { key: credentials.privateKey }),
    ...(credentials.addresses === undefined ? {} : { lookup: lookupIn(credentials.addresses) }),
  });
}

function lookupIn(addresses: Readonly<Record<string, string>>): LookupFunction {
  return (hostname, options, callback) => {
    const address = Object.hasOwn(addresses, hostname) ? addresses[hostname] : undefined;
    if (address === undefined) lookup(hostname, options, callback);
    else if (options.all === true) callback(null, [{ address, family: isIP(address) }]);
    else callback(null, address, isIP(address));
  };
}

/** Of a text with several lists Node would read the first alone. */
function listsIn(pem: string): string[] {
  return pem.match(/-----BEGIN X509 CRL-----[^]+?-----END X509 CRL-----/g) ?? [];
}

function asServiceError(request: ClientRequest, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (request.signal?.aborted === true) return error;
  const { origin } = new URL(request.url);
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return new ServiceError('timeout', `No answer from ${origin} in time`, { cause: error });
  return new ServiceError('unavailable', `Failed to connect to ${origin}: ${error.message}`, {
    cause: error,
  });
}
