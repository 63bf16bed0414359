/** Reads the PROXY header at the beginning of a connection. */

import type { Socket } from 'node:net';
import type { Logger } from '../../log/index.ts';
import { clientAddress, noteProxied } from './proxied-addresses.ts';
import { type ProxyHeader, readProxyHeader } from './read-header.ts';

export interface ProxyHeaderOptions {
  /** Whether connections from an address may begin with a header. For others it is what TLS or HTTP take it for: garbage. */
  readonly isTrusted: (address: string) => boolean;
  /** The connection is closed when the first bytes have not come by then. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

/**
 * Calls back when the header has been read, or the first bytes show that there is none; they are left in the socket. A
 * connection with a damaged header is closed.
 */
export function awaitProxyHeader(socket: Socket, options: ProxyHeaderOptions, onReady: () => void): void {
  const proxy = clientAddress(socket);
  if (!options.isTrusted(proxy)) {
    onReady();
    return;
  }
  let bytes: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), options.timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('data', onData).off('end', destroy).off('close', stop);
  };
  const onData = (part: Buffer): void => {
    bytes = Buffer.concat([bytes, part]);
    const header = read(bytes);
    if (header === 'incomplete') return;
    stop();
    socket.pause();
    if (header === 'damaged') {
      socket.destroy();
      return;
    }
    if (header !== 'none' && header.address !== undefined) noteProxied(socket, header.address);
    const rest = header === 'none' ? bytes : bytes.subarray(header.length);
    if (rest.length > 0) socket.unshift(rest);
    onReady();
  };
  const read = (first: Buffer): ProxyHeader | 'none' | 'incomplete' | 'damaged' => {
    try {
      return readProxyHeader(first);
    } catch (err) {
      options.log.warn({ address: proxy, err }, 'refused a connection with a damaged PROXY header');
      return 'damaged';
    }
  };
  socket.on('data', onData).on('end', destroy).on('close', stop);
  // It stays: a function from above would keep the first bytes for as long as the connection lasts.
  socket.on('error', destroy);
  socket.resume();
}

function destroy(this: Socket): void {
  this.destroy();
}
