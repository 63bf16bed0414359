/**
 * BER with lengths that are not known in advance, as programs write that sign a stream, made into definite lengths.
 *
 * @see X.690, 8.1.3.6 (indefinite length) and 8.7.3 (octet strings in pieces)
 */

import { DerError } from './der-error.ts';
import { derTags } from './der-tags.ts';
import { derElement } from './der-writer.ts';

const constructed = 0x20;
const piecewiseOctetString = derTags.octetString | constructed;
const indefinite = 0x80;
/** Signed messages need nine. */
const mostLevels = 24;

/**
 * The same element with definite lengths, and with octet strings in one piece. What is definite already stays as it is.
 *
 * @throws DerError when `bytes` is not exactly one element, or is nested too deeply
 */
export function toDefiniteForm(bytes: Buffer): Buffer {
  const { end, raw } = readElement(bytes, 0, 0);
  if (end !== bytes.length) throw new DerError('BER: unexpected data after the last element');
  return raw;
}

interface Element {
  readonly tag: number;
  readonly raw: Buffer;
  readonly content: Buffer;
  /** Offset of the next byte. */
  readonly end: number;
}

function readElement(bytes: Buffer, start: number, level: number): Element {
  if (level > mostLevels) throw new DerError('BER: nested too deeply');
  const tag = octet(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new DerError('BER: tags of several octets are not supported');
  const first = octet(bytes, start + 1);
  if (first === indefinite) {
    if ((tag & constructed) === 0) throw new DerError('BER: a simple element needs a definite length');
    return join(tag, readUntilEnd(bytes, start + 2, level));
  }
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4) throw new DerError('BER: unsupported length');
  let length = first < 0x80 ? first : 0;
  for (let index = 0; index < count; index += 1) length = length * 256 + octet(bytes, start + 2 + index);
  const contentStart = start + 2 + count;
  const end = contentStart + length;
  if (end > bytes.length) throw new DerError('BER: an element is longer than what contains it');
  if ((tag & constructed) === 0) {
    const content = bytes.subarray(contentStart, end);
    return { tag, raw: derElement(tag, content), content, end };
  }
  return join(tag, { children: readAll(bytes.subarray(0, end), contentStart, level), end });
}

function readAll(bytes: Buffer, start: number, level: number): Element[] {
  const children: Element[] = [];
  for (let offset = start; offset < bytes.length; offset = children.at(-1)?.end ?? bytes.length)
    children.push(readElement(bytes, offset, level + 1));
  return children;
}

/** Two zeros end the content. */
function readUntilEnd(bytes: Buffer, start: number, level: number): { children: Element[]; end: number } {
  const children: Element[] = [];
  let offset = start;
  while (octet(bytes, offset) !== 0 || octet(bytes, offset + 1) !== 0) {
    const child = readElement(bytes, offset, level + 1);
    children.push(child);
    offset = child.end;
  }
  return { children, end: offset + 2 };
}

function join(tag: number, { children, end }: { children: readonly Element[]; end: number }): Element {
  if (tag !== piecewiseOctetString) {
    const content = Buffer.concat(children.map(({ raw }) => raw));
    return { tag, raw: derElement(tag, content), content, end };
  }
  if (children.some((child) => child.tag !== derTags.octetString))
    throw new DerError('BER: pieces of an octet string are octet strings');
  const content = Buffer.concat(children.map((child) => child.content));
  return { tag: derTags.octetString, raw: derElement(derTags.octetString, content), content, end };
}

function octet(bytes: Buffer, offset: number): number {
  const found = bytes[offset];
  if (found === undefined) throw new DerError('BER: the data ends too early');
  return found;
}
