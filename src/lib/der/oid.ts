/** Object identifiers: `2.5.29.17` to and from DER content octets. */

import { DerError } from './der-error.ts';

/** @throws DerError when `dotted` is not an object identifier */
export function encodeOidContent(dotted: string): Buffer {
  if (!/^[0-2](\.(0|[1-9]\d{0,38}))+$/.test(dotted))
    throw new DerError(`Invalid object identifier '${dotted}'`);
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  if (first < 2n && second > 39n) throw new DerError(`Invalid object identifier '${dotted}'`);
  const octets: number[] = [];
  for (const arc of [first * 40n + second, ...rest]) pushArc(octets, arc);
  return Buffer.from(octets);
}

/** @throws DerError when the octets are not an object identifier, or one of absurd length */
export function decodeOidContent(content: Uint8Array): string {
  if (content.length === 0 || content.length > 128) throw new DerError('DER: not an object identifier');
  const arcs: bigint[] = [];
  let arc = 0n;
  let isInside = false;
  for (const octet of content) {
    if (!isInside && octet === 0x80) throw new DerError('DER: an arc is not in its shortest form');
    arc = (arc << 7n) | BigInt(octet & 0x7f);
    isInside = (octet & 0x80) !== 0;
    if (!isInside) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  if (isInside) throw new DerError('DER: an object identifier ends too early');
  const [head = 0n, ...rest] = arcs;
  const first = head < 40n ? 0n : head < 80n ? 1n : 2n;
  return [first, head - first * 40n, ...rest].join('.');
}

/** True when `oid` lies below `arc`: `1.2.3.4` is in the subtree of `1.2.3`. */
export function isInSubtree(oid: string, arc: string): boolean {
  return oid.startsWith(`${arc}.`);
}

function pushArc(octets: number[], arc: bigint): void {
  const groups: number[] = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) groups.unshift(Number(rest & 0x7fn) | 0x80);
  octets.push(...groups);
}
