/** Requests to one PuppetDB of several, or to all of them. */

import { ServiceError } from '../../lib/service-error.ts';
import type { ClientRequest, ClientResponse, HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { PuppetDbConf } from './puppetdb-conf.ts';
import { SilentServers } from './silent-servers.ts';
import { notExecuted } from './terminus-words.ts';

export interface PuppetDbRequest extends Omit<ClientRequest, 'url' | 'timeoutMs'> {
  /** With its query, encoded. */
  readonly path: string;
}

export interface PuppetDbResponse {
  /** Whose answer it is. */
  readonly origin: string;
  readonly status: number;
  readonly text: string;
}

export interface ServerListOptions {
  readonly conf: PuppetDbConf;
  readonly client: Pick<HttpClient, 'send'>;
  readonly log: Logger;
  readonly nowMs: () => number;
}

/** How often in a row a server that is only sent commands may be silent before it is left out. */
const toleratedTimeouts = 2;

/** The error for requests that no server answered. `origin` is the last that was tried. */
export class NoServer extends ServiceError {
  readonly origin: string;

  constructor(reason: 'not-found' | 'unavailable', message: string, origin: string) {
    super(reason, message);
    this.name = 'NoServer';
    this.origin = origin;
  }
}

type Attempt =
  | { readonly kind: 'answered'; readonly response: PuppetDbResponse }
  | { readonly kind: 'unknown' | 'failed' };

export class ServerList {
  private readonly options: ServerListOptions;
  /** Timeouts in a row of servers that are only sent commands. */
  private readonly timeouts = new Map<string, number>();
  private readonly silent: SilentServers;
  private lastGood = 0;

  constructor(options: ServerListOptions) {
    this.options = options;
    this.silent = new SilentServers(options.nowMs);
  }

  /**
   * Asks one after the other until one answers.
   *
   * @returns the first answer that is neither a failure of the server (5xx) nor a 404
   * @throws NoServer in the reference's words
   */
  async ask(request: PuppetDbRequest): Promise<PuppetDbResponse> {
    const { serverUrls, stickyReadFailover } = this.options.conf;
    const first = stickyReadFailover ? this.lastGood : 0;
    const order = serverUrls.map((_, index) => (index + first) % serverUrls.length);
    return await this.firstOf(
      order.map((index) => serverUrls[index] ?? ''),
      request,
      (origin) => {
        this.lastGood = serverUrls.indexOf(origin);
      },
    );
  }

  /**
   * Sends a command: to the first that takes it or, where commands are broadcast, to all.
   *
   * @throws NoServer in the reference's words when too few have taken it
   */
  async submit(request: PuppetDbRequest): Promise<PuppetDbResponse> {
    const { commandBroadcast, serverUrls, submitOnlyServerUrls } = this.options.conf;
    const alive = submitOnlyServerUrls.filter((url) => (this.timeouts.get(url) ?? 0) < toleratedTimeouts);
    const origins = [...serverUrls, ...alive];
    return commandBroadcast ? await this.broadcast(origins, request) : await this.firstOf(origins, request);
  }

  private async firstOf(
    origins: readonly string[],
    request: PuppetDbRequest,
    remember: (origin: string) => void = () => {},
  ): Promise<PuppetDbResponse> {
    let last: Attempt = { kind: 'failed' };
    for (const origin of origins) {
      const attempt = await this.attempt(origin, request);
      if (attempt.kind === 'answered') {
        remember(origin);
        return attempt.response;
      }
      last = attempt;
    }
    throw this.failure(last, request, origins.at(-1) ?? '');
  }

  private async broadcast(origins: readonly string[], request: PuppetDbRequest): Promise<PuppetDbResponse> {
    const attempts = await Promise.all(origins.map((origin) => this.attempt(origin, request)));
    const taken = attempts.filter((attempt) => attempt.kind === 'answered');
    const success = taken.at(-1);
    if (success !== undefined && taken.length >= this.options.conf.minSuccessfulSubmissions)
      return success.response;
    throw this.failure(attempts.at(-1) ?? { kind: 'failed' }, request, origins.at(-1) ?? '');
  }

  private async attempt(origin: string, { path, signal, ...request }: PuppetDbRequest): Promise<Attempt> {
    const { client, conf, log } = this.options;
    if (!this.silent.isAsked(origin, conf.serverUrlTimeoutMs)) return { kind: 'failed' };
    try {
      const given = signal === undefined ? {} : { signal };
      const sent = { ...request, ...given, url: origin + path, timeoutMs: conf.serverUrlTimeoutMs };
      const answer = await client.send(sent);
      this.timeouts.delete(origin);
      this.silent.noteAnswer(origin);
      return this.judge(origin, path, answer);
    } catch (error) {
      if (error instanceof ServiceError && error.reason === 'timeout') this.countTimeout(origin);
      else this.silent.noteAnswer(origin);
      if (!(error instanceof ServiceError)) throw error;
      log.warn({ error: error.message, origin }, 'PuppetDB cannot be reached');
      return { kind: 'failed' };
    }
  }

  /** A 404 in JSON is an answer; any other is one of something that is not PuppetDB, or not yet. */
  private judge(origin: string, path: string, { status, body }: ClientResponse): Attempt {
    const text = body.toString('utf8');
    if (status < 500 && status !== 404) return { kind: 'answered', response: { origin, status, text } };
    if (status === 404 && text.startsWith('{')) return { kind: 'unknown' };
    this.options.log.warn({ status, origin, path }, 'PuppetDB does not answer as it should');
    return { kind: 'failed' };
  }

  private countTimeout(origin: string): void {
    this.silent.noteTimeout(origin);
    if (!this.options.conf.submitOnlyServerUrls.includes(origin)) return;
    this.timeouts.set(origin, (this.timeouts.get(origin) ?? 0) + 1);
  }

  private failure(last: Attempt, { path }: PuppetDbRequest, origin: string): NoServer {
    const { minSuccessfulSubmissions, serverUrls } = this.options.conf;
    if (last.kind === 'unknown') {
      const message = `Failed to find '${path}' on any of the following 'server_urls': ${serverUrls.join(', ')}`;
      return new NoServer('not-found', message, origin);
    }
    return new NoServer('unavailable', notExecuted(path, minSuccessfulSubmissions, serverUrls), origin);
  }
}
