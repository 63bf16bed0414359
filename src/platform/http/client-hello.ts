/** The first message of a TLS client. */

import type { Socket } from 'node:net';

/** Kinds of a record and of a handshake message. @see RFC 8446, sections 4 and 5.1 */
const handshakeRecord = 22;
const clientHello = 1;
const recordHeaderBytes = 5;
const messageHeaderBytes = 4;
/** Hellos with several post-quantum keys have 2 to 3 kB; what claims to be longer is left to OpenSSL. */
const maxHelloBytes = 16 * 1024;

/**
 * Waits for the whole message, which costs nothing, and leaves it in the socket to be read again. OpenSSL answers it with a
 * signature, which takes a millisecond or more: the caller decides when.
 *
 * The socket is destroyed when it is closed before, or the message takes longer than `timeoutMs`.
 */
export function awaitClientHello(socket: Socket, timeoutMs: number, onHello: () => void): void {
  const parts: Buffer[] = [];
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('data', onData).off('end', destroy).off('close', stop);
  };
  const onData = (part: Buffer): void => {
    parts.push(part);
    const bytes = Buffer.concat(parts);
    if (!isWhole(bytes)) return;
    stop();
    socket.pause();
    socket.unshift(bytes);
    onHello();
  };
  socket.on('data', onData).on('end', destroy).on('close', stop);
  // For as long as the connection lasts: it may break while the caller keeps it waiting. A function of its own, because one from
  // above would keep what came first, too.
  socket.on('error', destroy);
  socket.resume();
}

function destroy(this: Socket): void {
  this.destroy();
}

/** Whether OpenSSL has all that it needs to answer, or to refuse. */
function isWhole(bytes: Buffer): boolean {
  const message: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== handshakeRecord) return true;
    if (bytes.length < at + recordHeaderBytes) return false;
    const end = at + recordHeaderBytes + bytes.readUInt16BE(at + 3);
    if (end > maxHelloBytes) return true;
    if (bytes.length < end) return false;
    message.push(bytes.subarray(at + recordHeaderBytes, end));
    if (isWholeMessage(Buffer.concat(message))) return true;
    at = end;
  }
  return false;
}

function isWholeMessage(message: Buffer): boolean {
  if (message.length < messageHeaderBytes) return false;
  return message[0] !== clientHello || message.length >= messageHeaderBytes + message.readUIntBE(1, 3);
}
