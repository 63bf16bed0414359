/** Finds out that the other end of a connection between servers is gone. */

import type { WebSocketConnection } from '../../platform/websocket/index.ts';

const usual = { pingMs: 5000, silenceMs: 15_000 };

/** Pings, and cuts a connection over which nothing comes back. */
export function watchSilence(
  connection: Pick<WebSocketConnection, 'receivedBytes' | 'ping' | 'cut'>,
  { pingMs, silenceMs } = usual,
): { stop(): void } {
  let heardBytes = connection.receivedBytes;
  let heardMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (connection.receivedBytes !== heardBytes) {
      heardBytes = connection.receivedBytes;
      heardMs = nowMs;
    }
    if (nowMs - heardMs > silenceMs) connection.cut();
    else connection.ping();
  }, pingMs);
  return { stop: () => clearInterval(timer) };
}
