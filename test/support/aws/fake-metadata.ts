/** The metadata service of one instance, version 2: nothing without a token. */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KnownCaller } from './fake-sts.ts';

export class FakeMetadata {
  /** By path below `/latest/`; may be changed at any time. */
  readonly values = new Map<string, string>();
  /** Paths that were asked for, with a valid token. */
  readonly asked: string[] = [];
  private readonly tokens = new Set<string>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(): Promise<FakeMetadata> {
    const metadata = new FakeMetadata();
    await new Promise<void>((resolve) => metadata.server.listen(0, '127.0.0.1', resolve));
    return metadata;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What every instance has. */
  describe(instanceId: string, region: string, role: string, caller: KnownCaller): void {
    const { accessKeyId, secret, sessionToken } = caller;
    const credentials = {
      Code: 'Success',
      Type: 'AWS-HMAC',
      AccessKeyId: accessKeyId,
      SecretAccessKey: secret,
      Token: sessionToken,
      Expiration: new Date(Date.now() + 6 * 60 * 60 * 1000).toISOString(),
    };
    this.values.set('meta-data/instance-id', instanceId);
    this.values.set('meta-data/placement/region', region);
    this.values.set('meta-data/iam/security-credentials/', role);
    this.values.set(`meta-data/iam/security-credentials/${role}`, JSON.stringify(credentials));
  }

  /** As after hibernation: the tokens that were given out do not count any more. */
  forgetTokens(): void {
    this.tokens.clear();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.replace('/latest/', '') ?? '';
    const end = (status: number, body = '') =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    if (request.method === 'PUT' && path === 'api/token') {
      const seconds = Number(request.headers['x-aws-ec2-metadata-token-ttl-seconds']);
      if (!(seconds >= 1 && seconds <= 21_600)) return void end(400);
      const token = randomBytes(40).toString('base64');
      this.tokens.add(token);
      return void end(200, token);
    }
    const token = request.headers['x-aws-ec2-metadata-token'];
    if (typeof token !== 'string' || !this.tokens.has(token)) return void end(401);
    this.asked.push(path);
    const value = this.values.get(path);
    if (value === undefined) return void end(404);
    end(200, value);
  }
}
