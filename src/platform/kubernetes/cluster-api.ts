/** Questions to the API of a Kubernetes cluster. */

import { ServiceError } from '../../lib/service-error.ts';
import { type ClientResponse, HttpClient } from '../http-client/index.ts';
import type { ClusterAccess } from './cluster.ts';

const timeoutMs = 10_000;

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

  private async send(question: {
    readonly method: string;
    readonly path: string;
    readonly signal: AbortSignal | undefined;
    readonly body?: string;
  }): Promise<ClientResponse> {
    const { body, method, path, signal } = question;
    const token = await this.access.token();
    return this.client.send({
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
    });
  }

  private contentOf(path: string, { body, status }: ClientResponse): unknown {
    const content = parse(body);
    if (status >= 200 && status < 300 && content !== undefined) return content;
    const { message } = (content ?? {}) as { readonly message?: unknown };
    const reason = typeof message === 'string' ? message.slice(0, 300) : 'no reason given';
    throw new ServiceError(
      'unavailable',
      `The Kubernetes API answers ${path} with status ${status}: ${reason}`,
      { details: { retryAfterSeconds: 5 } },
    );
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The caller says which answer it was.
    return undefined;
  }
}
