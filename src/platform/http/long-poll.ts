/** The server's end of a long poll: a request that is answered when something has changed, or when its time is over. */

import type { HttpRequest } from './route.ts';

const longestWaitSeconds = 60;

/** @returns the seconds of `Prefer: wait=SECONDS` (RFC 7240), at most a minute; `undefined` without that header */
export function preferredWait({ headers }: Pick<HttpRequest, 'headers'>): number | undefined {
  const seconds = /(?:^|,)\s*wait=(\d{1,4})\b/.exec(String(headers['prefer'] ?? ''))?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), longestWaitSeconds);
}

export interface ChangeToAwait {
  readonly seconds: number;
  /** Calls the listener at the next change. @returns what ends the subscription */
  readonly onChange: (listener: () => void) => () => void;
  /** Any of them ends the wait: the client has gone, or the server stops. */
  readonly signals: readonly AbortSignal[];
}

/** Resolves at the next change, when the time is over, or with the first signal. */
export async function changeWithin({ onChange, seconds, signals }: ChangeToAwait): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const forget = onChange(end);
  const ending = AbortSignal.any([...signals]);
  ending.addEventListener('abort', end, { once: true });
  const timer = setTimeout(end, ending.aborted ? 0 : seconds * 1000);
  await promise;
  clearTimeout(timer);
  ending.removeEventListener('abort', end);
  forget();
}
