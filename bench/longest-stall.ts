/** How long the main thread of a server was busy with one thing. */

import type { HttpClient } from '../src/platform/http-client/index.ts';

/** The longest stall since the last call, in milliseconds, by the server's own metrics. @param base - of its URLs */
export async function longestStall(client: HttpClient, base: string): Promise<number> {
  const { body } = await client.send({ method: 'GET', url: `${base}/metrics` });
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(body.toString())?.[1];
  return Math.round(Number(seconds) * 1000);
}
