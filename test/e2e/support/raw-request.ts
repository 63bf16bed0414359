/** Requests as no decent client sends them, byte by byte. */

import { connect as connectPlain } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';

/** Key and certificate of the client; anonymous when empty. */
export type Credentials = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;

/**
 * Sends bytes as they are and reads until the server closes the connection.
 *
 * @returns status and what follows the headers; status 0 when there was no answer at all
 */
export function sendRaw(
  port: number,
  credentials: Credentials,
  text: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host: 'localhost', port, rejectUnauthorized: false, ...credentials });
    socket.on('secureConnect', () => socket.write(text));
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString('utf8');
    });
    // A server that hangs up on us has said what it had to say.
    socket.on('error', () => {});
    socket.on('close', () => {
      const [head = '', ...rest] = answer.split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), body: rest.join('\r\n\r\n') });
    });
  });
}

/** Connects, sends a little, and then nothing more until it is told to leave. */
export function hang(port: number, text: string, isEncrypted: boolean): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const socket = isEncrypted
      ? connect({ host: 'localhost', port, rejectUnauthorized: false })
      : connectPlain({ host: '127.0.0.1', port });
    socket.once('error', reject);
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      socket.off('error', reject);
      socket.on('error', () => {});
      socket.write(text, () => resolve(() => socket.destroy()));
    });
  });
}
