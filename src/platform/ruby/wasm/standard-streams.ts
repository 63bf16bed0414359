import { writeSync } from 'node:fs';
import type { ByteStream } from './open-files.ts';

const STANDARD_ERROR = 2;

/** What code prints goes to standard error, and nothing comes in. */
export function standardStreams(): readonly [ByteStream, ByteStream, ByteStream] {
  const stream: ByteStream = { read: () => 0, write: printed };
  return [stream, stream, stream];
}

function printed(parts: readonly Uint8Array[]): boolean {
  for (const part of parts) {
    let written = 0;
    while (written < part.length) written += writeSync(STANDARD_ERROR, part, written);
  }
  return true;
}
