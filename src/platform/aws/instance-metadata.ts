/** What an instance on EC2 learns of itself. @see "Use the Instance Metadata Service" in the EC2 User Guide, version 2 */

import { request as startRequest } from '../../lib/node-http.ts';
import { ServiceError } from '../../lib/service-error.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Link-local: it never leaves the host. */
const usualEndpoint = 'http://169.254.169.254';
const timeoutMs = 5000;
const tokenLifeSeconds = 21_600;
/** A token is renewed before it ends. */
const tokenUseMs = (tokenLifeSeconds - 300) * 1000;
const mostBytes = 64 * 1024;

export class InstanceMetadata {
  private readonly endpoint: string;
  private readonly steadyMs: () => number;
  private token: { readonly text: string; readonly madeMs: number } | undefined;

  /** @param endpoint - another address of the service: `AWS_EC2_METADATA_SERVICE_ENDPOINT`, as in AWS's own programs */
  constructor(endpoint?: string, steadyMs: () => number = () => performance.now()) {
    this.endpoint = (endpoint ?? usualEndpoint).replace(/\/+$/, '');
    this.steadyMs = steadyMs;
  }

  /**
   * @param path - `meta-data/instance-id`
   * @returns `undefined` for what is not there
   * @throws ServiceError `unavailable` when this is no instance, or the service does not answer
   */
  async find(path: string, signal?: AbortSignal): Promise<string | undefined> {
    const first = await this.ask(path, signal);
    if (first.status !== 401) return textOf(path, first);
    // The token has ended, or was of another instance that this one is a copy of.
    this.token = undefined;
    return textOf(path, await this.ask(path, signal));
  }

  /** @throws ServiceError `unavailable` also for what is not there */
  async get(path: string, signal?: AbortSignal): Promise<string> {
    const found = await this.find(path, signal);
    if (found === undefined) throw new ServiceError('unavailable', `The instance has no ${path}`);
    return found;
  }

  /** Of the role that the instance has. @throws ServiceError `unavailable` when it has none */
  async credentials(signal?: AbortSignal): Promise<AwsCredentials> {
    const base = 'meta-data/iam/security-credentials/';
    const [role = ''] = (await this.get(base, signal)).split('\n');
    const text = await this.get(`${base}${role}`, signal);
    const found = parse(text) as Readonly<Record<string, unknown>> | undefined;
    const { AccessKeyId: id, SecretAccessKey: secret, Token: token } = found ?? {};
    if (typeof id !== 'string' || typeof secret !== 'string' || typeof token !== 'string')
      throw new ServiceError('unavailable', `The instance has no credentials of its role ${role}`);
    return { accessKeyId: id, secretAccessKey: secret, sessionToken: token };
  }

  private async ask(path: string, signal: AbortSignal | undefined): Promise<Answer> {
    this.token ??= { text: await this.newToken(signal), madeMs: this.steadyMs() };
    if (this.steadyMs() - this.token.madeMs > tokenUseMs)
      this.token = { text: await this.newToken(signal), madeMs: this.steadyMs() };
    const headers = { 'x-aws-ec2-metadata-token': this.token.text };
    return send({ method: 'GET', url: `${this.endpoint}/latest/${path}`, headers, signal });
  }

  private async newToken(signal: AbortSignal | undefined): Promise<string> {
    const headers = { 'x-aws-ec2-metadata-token-ttl-seconds': String(tokenLifeSeconds) };
    const answer = await send({ method: 'PUT', url: `${this.endpoint}/latest/api/token`, headers, signal });
    if (answer.status === 200) return answer.body;
    throw new ServiceError(
      'unavailable',
      `The instance metadata service gives no token: status ${answer.status} (in a container, its hop limit has to be 2)`,
    );
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function textOf(path: string, { body, status }: Answer): string | undefined {
  if (status === 200) return body;
  if (status === 404) return undefined;
  throw new ServiceError(
    'unavailable',
    `The instance metadata service answers ${path} with status ${status}`,
  );
}

function send(question: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}): Promise<Answer> {
  const { headers, method, signal, url } = question;
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      if (signal?.aborted === true) reject(cause);
      else
        reject(
          new ServiceError('unavailable', `The instance metadata service does not answer: ${cause.message}`, {
            cause,
          }),
        );
    };
    const outgoing = startRequest(
      url,
      { method, headers, agent: false, signal: AbortSignal.any(signals) },
      (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > mostBytes) incoming.destroy(new Error('too long an answer'));
          else chunks.push(chunk);
        });
        incoming.on('error', fail);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    outgoing.on('error', fail);
    outgoing.end();
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what is missing.
    return undefined;
  }
}
