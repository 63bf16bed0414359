/** The fake of the Security Token Service on a port. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeSts } from './fake-sts.ts';

export class RunningSts {
  readonly sts = new FakeSts();
  /** `Host` of each question. */
  readonly hosts: string[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<RunningSts> {
    const running = new RunningSts();
    await new Promise<void>((resolve) => running.server.listen(0, '127.0.0.1', resolve));
    return running;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, method = '', url = '' } = request;
    this.hosts.push(headers.host ?? '');
    const answer = this.sts.answer({ method, url, headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
  }
}
