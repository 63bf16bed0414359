/** How a simulated agent of the crowd sends requests: one connection, given up after four idle seconds, as Puppet has it. */

import { Agent, request as startRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { AgentClient } from '../../demo/simulated-agent.ts';
import type {
  ClientCredentials,
  ClientRequest,
  ClientResponse,
} from '../../src/platform/http-client/index.ts';

/** `http_keepalive_timeout` of an agent. */
const idleMs = 4000;
/** How often an agent comes back when it is asked to. */
const mostRetries = 100;
const readTimeoutMs = 120_000;

export class CrowdClient implements AgentClient {
  /** Who answered, or was to answer, the last request. */
  server: string | undefined;
  /** How often it was asked to come back later. */
  putOff = 0;
  private readonly credentials: ClientCredentials;
  private agent: Agent;
  private usedMs = performance.now();

  constructor(credentials: ClientCredentials) {
    this.credentials = credentials;
    this.agent = this.createAgent();
  }

  close(): void {
    this.agent.destroy();
  }

  /** Never sent twice, except when the server says `Retry-After`. */
  async send(request: ClientRequest): Promise<ClientResponse> {
    for (let retries = 0; ; retries += 1) {
      if (performance.now() - this.usedMs > idleMs) this.reconnect();
      const answer = await this.sendOnce(request);
      this.usedMs = performance.now();
      const retryAfter = answer.headers['retry-after'];
      if (![429, 503].includes(answer.status) || retryAfter === undefined || retries >= mostRetries)
        return answer;
      this.putOff += 1;
      this.reconnect();
      await sleep(Number(retryAfter) * 1000);
    }
  }

  private sendOnce({ body, headers, method, url }: ClientRequest): Promise<ClientResponse> {
    return new Promise((resolve, reject) => {
      const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {};
      const options = { method, agent: this.agent, headers: { ...length, ...headers } };
      const outgoing = startRequest(url, { ...options, signal: AbortSignal.timeout(readTimeoutMs) });
      outgoing.on('error', reject);
      outgoing.on('socket', (socket) => this.watch(socket));
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('error', reject);
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      outgoing.end(typeof body === 'string' ? body : undefined);
    });
  }

  private watch(socket: unknown): void {
    if (!(socket instanceof TLSSocket)) return;
    const learn = () => {
      this.server = String(socket.getPeerCertificate().subject?.CN);
    };
    if (socket.authorized) learn();
    else {
      this.server = undefined;
      socket.once('secureConnect', learn);
    }
  }

  private reconnect(): void {
    this.agent.destroy();
    this.agent = this.createAgent();
  }

  private createAgent(): Agent {
    const { ca, certificate, privateKey } = this.credentials;
    return new Agent({
      keepAlive: true,
      maxSockets: 1,
      // Each run begins with nothing, as a real agent's process does.
      maxCachedSessions: 0,
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(privateKey === undefined ? {} : { key: privateKey }),
    });
  }
}
