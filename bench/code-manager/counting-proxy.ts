/** Passes TCP connections on and counts the bytes. */

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class CountingProxy {
  /** From the server to its clients. */
  received = 0;
  /** From clients to the server. */
  sent = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(targetPort: number) {
    this.server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1');
      client.on('data', (chunk) => (this.sent += chunk.length));
      target.on('data', (chunk) => (this.received += chunk.length));
      for (const [from, to] of [
        [client, target],
        [target, client],
      ] as const) {
        this.sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => this.sockets.delete(from));
        from.pipe(to);
      }
    });
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  reset(): void {
    this.received = 0;
    this.sent = 0;
  }

  get total(): number {
    return this.received + this.sent;
  }
}
