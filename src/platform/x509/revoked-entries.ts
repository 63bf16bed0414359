/**
 * The entries of a CRL, one after the other as DER.
 *
 * Lists have tens of thousands of them, so they are walked by offsets, without an object for each element.
 */

import { setImmediate } from 'node:timers/promises';
import { derTags } from '../../lib/der/index.ts';
import { X509Error } from './x509-error.ts';

/** Entries that are read in one go: about half a millisecond of work. */
const sliceLength = 1000;

/** Upper-case hexadecimal without leading zeros. @throws X509Error */
export function decodeRevokedSerials(entries: Buffer): Set<string> {
  const serials = new Set<string>();
  forEachEntry(entries, (serial) => void serials.add(serial));
  return serials;
}

/** The same while others go on working: in slices, a turn of the event loop between them. */
export async function decodeRevokedSerialsInSlices(entries: Buffer): Promise<Set<string>> {
  const serials = new Set<string>();
  let start = 0;
  while (start < entries.length) {
    start = readEntries(entries, start, sliceLength, (serial) => void serials.add(serial));
    await setImmediate();
  }
  return serials;
}

/** What is left of a list's entries when only those that `keep` names stay, each once. */
export function retainRevoked(
  entries: Buffer,
  keep: (serial: string) => boolean,
): { readonly entries: Buffer; readonly revokedSerials: ReadonlySet<string>; readonly duplicates: number } {
  const kept: Buffer[] = [];
  const revokedSerials = new Set<string>();
  let duplicates = 0;
  forEachEntry(entries, (serial, start, end) => {
    if (revokedSerials.has(serial)) duplicates++;
    else if (keep(serial)) {
      revokedSerials.add(serial);
      kept.push(entries.subarray(start, end));
    }
  });
  return { entries: Buffer.concat(kept), revokedSerials, duplicates };
}

type Visit = (serial: string, start: number, end: number) => void;

function forEachEntry(entries: Buffer, visit: Visit): void {
  readEntries(entries, 0, Number.POSITIVE_INFINITY, visit);
}

/** Reads at most `count` entries. @returns where the next one begins */
function readEntries(entries: Buffer, from: number, count: number, visit: Visit): number {
  let start = from;
  for (let read = 0; read < count && start < entries.length; read += 1) {
    const content = contentOffset(entries, start, derTags.sequence);
    const end = content + lengthAt(entries, start);
    const number = contentOffset(entries, content, derTags.integer);
    const numberEnd = number + lengthAt(entries, content);
    if (end > entries.length || numberEnd > end)
      throw new X509Error('DER: an element is longer than what contains it');
    visit(serialOf(entries, number, numberEnd), start, end);
    start = end;
  }
  return start;
}

/** Where the content of the element at `offset` begins. */
function contentOffset(bytes: Buffer, offset: number, tag: number): number {
  if (bytes[offset] !== tag) throw new X509Error('A revoked certificate’s entry is malformed');
  const first = bytes[offset + 1] ?? 0;
  return offset + 2 + (first < 0x80 ? 0 : first & 0x7f);
}

/** Entries are small: lengths of up to two octets, in their shortest form. */
function lengthAt(bytes: Buffer, offset: number): number {
  const first = bytes[offset + 1];
  const second = bytes[offset + 2] ?? 0;
  if (first === undefined) throw new X509Error('DER: the data ends too early');
  if (first < 0x80) return first;
  if (first === 0x81 && second >= 0x80) return second;
  if (first === 0x82 && second > 0) return second * 256 + (bytes[offset + 3] ?? 0);
  throw new X509Error('DER: unsupported length');
}

function serialOf(bytes: Buffer, start: number, end: number): string {
  if (start === end || ((bytes[start] ?? 0) & 0x80) !== 0 || end - start > 64)
    throw new X509Error('A revoked certificate’s serial number is malformed');
  let from = start;
  while (from < end - 1 && bytes[from] === 0) from++;
  const hex = bytes.toString('hex', from, end).toUpperCase();
  return hex.length > 1 && hex.startsWith('0') ? hex.slice(1) : hex;
}
