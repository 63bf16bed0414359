/** Requests that never became one: too slow, too large, not HTTP. */

import type { Socket } from 'node:net';
import type { Logger } from '../log/index.ts';
import { clientAddress } from './proxy-protocol/proxied-addresses.ts';

interface ClientError extends Error {
  readonly code?: string;
}

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

/** Connections that end in the middle of nothing are everyday life, not worth a line. */
const quietCodes = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

export function answerClientError(error: ClientError, socket: Socket, log: Logger): void {
  const code = error.code ?? '';
  const status = statusLines[code] ?? '400 Bad Request';
  const fields = { address: clientAddress(socket), code };
  if (quietCodes.has(code) || !socket.writable) {
    log.debug(fields, 'connection ended early');
    socket.destroy();
    return;
  }
  // A body that was cut short is logged where it is read.
  const isCutShort = code === 'HPE_INVALID_EOF_STATE';
  log[isCutShort ? 'debug' : 'info'](
    { ...fields, status: Number(status.slice(0, 3)) },
    'refused malformed request',
  );
  const body = status.slice(4);
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain;charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    () => socket.destroySoon(),
  );
}
