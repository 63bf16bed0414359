/** A thread's side of an answer in parts: sends them as fast as they are read. */

import { type FromThread, partsInFlight } from './messages.ts';

/** What a handler returns to be answered in parts. */
export class PartStream {
  readonly head: unknown;
  readonly body: AsyncIterable<string | Uint8Array>;

  /** @param head - goes before the first part */
  constructor(head: unknown, body: AsyncIterable<string | Uint8Array>) {
    this.head = head;
    this.body = body;
  }
}

/** An answer that is being read by the other side. */
export interface Reading {
  room: number;
  isCancelled: boolean;
  /** Called when there is room again, or the reader has left. */
  wake: () => void;
}

export function newReading(): Reading {
  return { room: partsInFlight, isCancelled: false, wake: () => {} };
}

/** Parts are gathered until they are about this long. */
const partLength = 64 * 1024;

export async function sendParts(
  id: number,
  body: PartStream['body'],
  reading: Reading,
  send: (message: FromThread, transferred: readonly ArrayBuffer[]) => void,
): Promise<void> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  let text = '';
  const encodeText = (): void => {
    if (text !== '') gathered.push(new TextEncoder().encode(text));
    text = '';
  };
  const flush = async (): Promise<void> => {
    encodeText();
    const bytes = joined(gathered);
    [gathered, length] = [[], 0];
    while (reading.room === 0 && !reading.isCancelled) await waitForRoom(reading);
    reading.room--;
    send({ kind: 'part', id, bytes }, [bytes.buffer]);
  };
  for await (const piece of body) {
    length += piece.length;
    if (typeof piece === 'string') text += piece;
    else {
      encodeText();
      gathered.push(piece);
    }
    if (length >= partLength) await flush();
    if (reading.isCancelled) return;
    // Other requests have their turn between the parts of a long answer.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (length > 0) await flush();
}

/** Alone in its memory, which is handed over. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && only.byteLength === only.buffer.byteLength) {
    return only as Uint8Array<ArrayBuffer>;
  }
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function waitForRoom(reading: Reading): Promise<void> {
  return new Promise((resolve) => {
    reading.wake = resolve;
  });
}
