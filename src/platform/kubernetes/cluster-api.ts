/** Questions to the API of a Kubernetes cluster. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../lib/service-error.ts';
import { type ClientRequest, type ClientResponse, HttpClient } from '../http-client/index.ts';
import type { ClusterAccess } from './cluster.ts';

const timeoutMs = 10_000;
/** The cluster ends a watch after this time. A watch that lasts longer is dead. */
const watchSeconds = 30;
const lateMs = 10_000;

interface Question {
  readonly method: string;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly body?: string;
}

export class ClusterApi {
  private readonly access: ClusterAccess;
  private readonly client: HttpClient;

  constructor(access: ClusterAccess) {
    this.access = access;
    const { ca, certificate, privateKey } = access;
    this.client = new HttpClient({
      ca,
      ...(certificate === undefined || privateKey === undefined ? {} : { certificate, privateKey }),
    });
  }

  get namespace(): string {
    return this.access.namespace;
  }

  close(): void {
    this.client.close();
  }

  /**
   * @param path - `/api/v1/namespaces/puppet/pods/compile-1`
   * @returns `undefined` for what is not there
   * @throws ServiceError `unavailable` when the cluster does not answer, or with anything but success
   */
  async get(path: string, signal?: AbortSignal): Promise<unknown> {
    const answer = await this.send({ method: 'GET', path, signal });
    return answer.status === 404 ? undefined : this.contentOf(path, answer);
  }

  /** @throws ServiceError as `get` */
  async post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
    const answer = await this.send({ method: 'POST', path, signal, body: JSON.stringify(body) });
    return this.contentOf(path, answer);
  }

  /** Deletes an object, unless it is another one than `options` say, or there is none. @throws ServiceError as `get` */
  async delete(path: string, options: object, signal?: AbortSignal): Promise<void> {
    const answer = await this.send({ method: 'DELETE', path, signal, body: JSON.stringify(options) });
    if (answer.status !== 404 && answer.status !== 409) this.contentOf(path, answer);
  }

  /**
   * Changes of a list from a version on, as they come. The cluster ends it after half a minute: ask again from the last version.
   *
   * @param path - of the list, with its query
   * @returns when the cluster begins to answer: each event as the API has it, `ERROR` with the code 410 for a version too old to begin
   *   at; `undefined` when the service account may list but not watch
   * @throws ServiceError as `get`, also while events come
   */
  async watch(
    path: string,
    version: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<unknown> | undefined> {
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${encodeURIComponent(version)}`;
    const request = await this.requestOf({ method: 'GET', path: `${path}&${query}`, signal });
    const { body, status } = await this.client.stream({
      ...request,
      timeoutMs: watchSeconds * 1000 + lateMs,
      hasOwnConnection: true,
    });
    if (status === 200) return eventsIn(body);
    const content = parse(await text(body));
    if (status === 410) return tooOld();
    if (status === 403) return undefined;
    throw this.failureOf(path, { status, content });
  }

  private async send(question: Question): Promise<ClientResponse> {
    return this.client.send(await this.requestOf(question));
  }

  private async requestOf({ body, method, path, signal }: Question): Promise<ClientRequest> {
    const token = await this.access.token();
    return {
      method,
      url: this.access.url + path,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      timeoutMs,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  private contentOf(path: string, { body, status }: ClientResponse): unknown {
    const content = parse(body);
    if (status >= 200 && status < 300 && content !== undefined) return content;
    throw this.failureOf(path, { status, content });
  }

  private failureOf(
    path: string,
    { content, status }: { readonly status: number; readonly content: unknown },
  ): ServiceError {
    const { message } = (content ?? {}) as { readonly message?: unknown };
    const reason = typeof message === 'string' ? message.slice(0, 300) : 'no reason given';
    return new ServiceError(
      'unavailable',
      `The Kubernetes API answers ${path} with status ${status}: ${reason}`,
      { details: { retryAfterSeconds: 5 } },
    );
  }
}

/** One JSON object on each line. */
async function* eventsIn(body: Readable): AsyncGenerator<unknown> {
  try {
    for await (const line of createInterface({ input: body, crlfDelay: Number.POSITIVE_INFINITY }))
      if (line !== '') yield parse(line);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError('unavailable', `The Kubernetes API ended its answer early: ${reason}`, { cause });
  } finally {
    body.destroy();
  }
}

async function* tooOld(): AsyncGenerator<unknown> {
  yield { type: 'ERROR', object: { code: 410 } };
}

function parse(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // The caller says which answer it was.
    return undefined;
  }
}
