/**
 * What the server and the signing process tell each other: a length, a number that the answer repeats, one byte that says
 * what it is, and the content.
 */

import type { Socket } from 'node:net';

export interface Frame {
  readonly id: number;
  readonly kind: number;
  readonly content: Buffer;
}

export const requestKinds = { describe: 0, sign: 1, renew: 2 } as const;
export const answerKinds = { done: 0, refused: 1, failed: 2 } as const;

const lengthBytes = 4;
const headBytes = 5;
/** A list of a million revoked certificates has 40 MB. */
const maxFrameBytes = 128 * 1024 * 1024;

export function encodeFrame({ content, id, kind }: Frame): Buffer {
  const head = Buffer.alloc(lengthBytes + headBytes);
  head.writeUInt32BE(headBytes + content.length);
  head.writeUInt32BE(id, lengthBytes);
  head.writeUInt8(kind, lengthBytes + 4);
  return Buffer.concat([head, content]);
}

/** Calls `onFrame` for each frame that arrives; a connection on which something else arrives is closed. */
export function readFrames(socket: Socket, onFrame: (frame: Frame) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= lengthBytes) {
      const [first = Buffer.alloc(0)] = chunks;
      const bytes = first.length >= lengthBytes ? first : Buffer.concat(chunks);
      const length = bytes.readUInt32BE();
      if (length < headBytes || length > maxFrameBytes) {
        socket.destroy();
        return;
      }
      if (size < lengthBytes + length) return;
      const whole = chunks.length === 1 ? first : Buffer.concat(chunks);
      const end = lengthBytes + length;
      chunks = whole.length === end ? [] : [whole.subarray(end)];
      size = whole.length - end;
      onFrame({
        id: whole.readUInt32BE(lengthBytes),
        kind: whole.readUInt8(lengthBytes + 4),
        content: whole.subarray(lengthBytes + headBytes, end),
      });
    }
  });
}

/** The certificate that is renewed stands before what is to be signed. */
export function encodeRenewal(tbs: Buffer, replaced: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(replaced.length);
  return Buffer.concat([length, replaced, tbs]);
}

/** @throws RangeError when it is no such content */
export function decodeRenewal(content: Buffer): { readonly tbs: Buffer; readonly replaced: Buffer } {
  const end = lengthBytes + content.readUInt32BE();
  if (end > content.length) throw new RangeError('The renewed certificate is cut off');
  return { replaced: content.subarray(lengthBytes, end), tbs: content.subarray(end) };
}

/** What the signing process says of itself. */
export interface SignerDescription {
  /** SubjectPublicKeyInfo as DER, in Base64. */
  readonly publicKeyInfo: string;
  /** AlgorithmIdentifier as DER, in Base64. */
  readonly algorithm: string;
  readonly uid: number;
  readonly pid: number;
}
