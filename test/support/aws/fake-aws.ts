/** The services of one account and region on one port, told apart as AWS's hosts would be: by what the signature is for. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeAutoScaling, failure } from './fake-auto-scaling.ts';
import { FakeCloudWatch } from './fake-cloud-watch.ts';
import { type FakeAnswer, FakeSts, type KnownCaller } from './fake-sts.ts';
import { type ArrivedRequest, checkSignature, SignatureError } from './signature-check.ts';

/**
 * What happens to one request instead of an answer: `throttle` and `fail` have no effect; `lose` has its effect, and the answer is
 * a 500; `delay` has it after a while.
 */
export type Fault =
  | { readonly kind: 'throttle' | 'fail' | 'lose' }
  | { readonly kind: 'delay'; readonly ms: number };

export interface Exchange {
  readonly service: string;
  readonly action: string;
  readonly request: ArrivedRequest;
  readonly answer: FakeAnswer;
}

export class FakeAws {
  readonly sts = new FakeSts();
  readonly autoScaling = new FakeAutoScaling();
  readonly cloudWatch = new FakeCloudWatch();
  /** Each request that came, as `service Action`. */
  readonly requests: string[] = [];
  /** Requests with their answers, except those that a fault suppressed. */
  readonly exchanges: Exchange[] = [];
  /** How many requests are delayed now. */
  delayed = 0;
  /** Hosts that signatures for the Security Token Service are for. */
  readonly stsHosts: string[] = [];
  /** Asked for each request. */
  faultOf: (request: string) => Fault | undefined = () => undefined;
  private readonly callers = new Map<string, KnownCaller>();
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<FakeAws> {
    const aws = new FakeAws();
    await new Promise<void>((resolve) => aws.server.listen(0, '127.0.0.1', resolve));
    return aws;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Variables with which AWS's clients come here instead, with the credentials of `caller`. */
  variables({ accessKeyId, secret, sessionToken }: KnownCaller): Record<string, string> {
    return {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secret,
      ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
      AWS_REGION: 'eu-west-1',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: this.endpoint,
      AWS_EC2_METADATA_DISABLED: 'true',
    };
  }

  add(caller: KnownCaller): void {
    this.callers.set(caller.accessKeyId, caller);
    this.sts.add(caller);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, method = '', url = '' } = request;
    const { body, contentType, status } = await this.treat({
      method,
      url,
      headers,
      body: Buffer.concat(chunks),
    });
    response.writeHead(status, { 'content-type': contentType, 'x-amzn-requestid': '1' }).end(body);
  }

  private async treat(request: ArrivedRequest): Promise<FakeAnswer> {
    const service = /\/([a-z]+)\/aws4_request/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const target = request.headers['x-amz-target'];
    const action =
      typeof target === 'string'
        ? target.split('.').at(-1)
        : new URLSearchParams(request.body.toString('utf8')).get('Action');
    const name = `${service} ${action}`;
    this.requests.push(name);
    const fault = this.faultOf(name);
    if (fault?.kind === 'throttle') return failure(400, 'Throttling', 'Rate exceeded');
    if (fault?.kind === 'fail') return failure(500, 'InternalFailure', 'An internal error has occurred');
    if (fault?.kind === 'delay') await this.delay(fault.ms);
    const answer = this.served(service, request);
    this.exchanges.push({ service, action: action ?? '', request, answer });
    return fault?.kind === 'lose' ? failure(503, 'ServiceUnavailable', 'The answer is lost') : answer;
  }

  /** On the clock of the process, which a test may move. */
  private async delay(ms: number): Promise<void> {
    this.delayed += 1;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.delayed -= 1;
  }

  private served(service: string, request: ArrivedRequest): FakeAnswer {
    if (service === 'sts') {
      this.stsHosts.push(request.headers.host ?? '');
      return this.sts.answer(request);
    }
    try {
      checkSignature(request, (id) => this.callers.get(id), new Date());
    } catch (error) {
      if (error instanceof SignatureError) return failure(403, error.code, error.message);
      throw error;
    }
    const { body, headers } = request;
    const target = headers['x-amz-target'];
    if (service === 'monitoring')
      return this.cloudWatch.answer(typeof target === 'string' ? target : undefined, body);
    return this.autoScaling.answer(new URLSearchParams(body.toString('utf8')));
  }
}
