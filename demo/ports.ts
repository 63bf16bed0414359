/** Ports on loopback. */

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to whoever asks for any port or connects to somewhere: what is free stays free until a
 * server listens there, and while it restarts.
 */
const [firstPort, lastPort] = [20_000, 32_000];

/** Whoever got one may listen there later. */
const given = new Set<number>();

/** Some port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/** Whether nobody listens on a port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
