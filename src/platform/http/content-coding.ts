/** Which answers are compressed, and how. */

import type { OutgoingHttpHeaders } from 'node:http';

/** Below it, compressing costs more than the bytes that it saves: both fit into one packet. */
export const minCompressedBytes = 1024;

/** Half of the time of level 6 for about a tenth more bytes, on catalogs. */
export const compressionLevel = 4;

/** Not streams of events: a coder would keep each back until there are more. */
const compressible =
  /^(text\/(?!event-stream)|application\/(.+\+)?(json|xml|javascript|pson|yaml|octet-stream)|\*\/\*|;)/i;

/** Whether an `Accept-Encoding` lets us use gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined || header === '') return false;
  let fallback = false;
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const coding = name.trim().toLowerCase();
    if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== '*') continue;
    const isWanted = !parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter));
    if (coding !== '*') return isWanted;
    fallback = isWanted;
  }
  return fallback;
}

/** Whether a body with these headers is worth compressing. */
export function isCompressible(headers: OutgoingHttpHeaders): boolean {
  let type = '';
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === 'content-encoding' || lower === 'content-range') return false;
    if (lower === 'content-type') type = String(value);
  }
  return compressible.test(type);
}
