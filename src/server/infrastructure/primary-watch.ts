/** Whether the primary can be reached, for compile servers that have to decide what to do without it. */

import type { HttpClient } from '../../platform/http-client/index.ts';

/** A primary that takes longer is away: agents wait for the answer. */
const patienceMs = 2000;
/** How long it is taken to be as it was found. */
const rememberMs = 5000;

/** @returns a question that is cheap to ask often */
export function watchPrimary(primary: {
  readonly client: HttpClient;
  readonly primaryUrl: string;
}): () => Promise<boolean> {
  let last: { readonly atMs: number; readonly isAway: Promise<boolean> } | undefined;
  const look = async () => {
    try {
      const url = `${primary.primaryUrl}/status/v1/simple`;
      const { status } = await primary.client.send({ method: 'GET', url, timeoutMs: patienceMs });
      return status !== 200;
    } catch {
      // The connection is refused, or there is no answer in time.
      return true;
    }
  };
  return () => {
    if (last === undefined || performance.now() - last.atMs > rememberMs)
      last = { atMs: performance.now(), isAway: look() };
    return last.isAway;
  };
}
