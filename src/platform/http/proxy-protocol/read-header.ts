/** The header with which a proxy says, before anything else, whose connection it passes on. @see https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt */

import { isIPv4, isIPv6 } from 'node:net';

export interface ProxyHeader {
  /** Bytes of the header; what follows is the client's. */
  readonly length: number;
  /** `undefined` when the proxy speaks for itself (health checks), or does not know. */
  readonly address: string | undefined;
}

export class ProxyHeaderError extends Error {}

const prefix = Buffer.from('PROXY ');
const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
/** With the line's end; of the first version. */
const maxLineBytes = 107;
const fixedBytes = 16;
/** The addresses and what proxies add to them: names, certificates. */
const maxFollowingBytes = 4096;

/**
 * @param bytes - the first of a connection
 * @returns `none` when they are no header's, `incomplete` when they may become one
 * @throws ProxyHeaderError for a header that is damaged or too long
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'none' | 'incomplete' {
  if (startsAlike(bytes, prefix)) return bytes.length < prefix.length ? 'incomplete' : readLine(bytes);
  if (startsAlike(bytes, signature)) return bytes.length < fixedBytes ? 'incomplete' : readBinary(bytes);
  return 'none';
}

/** As far as both go. */
function startsAlike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
}

/** `PROXY TCP4 192.0.2.1 192.0.2.2 56324 8140` */
function readLine(bytes: Buffer): ProxyHeader | 'incomplete' {
  const end = bytes.subarray(0, maxLineBytes).indexOf('\r\n');
  if (end < 0) {
    if (bytes.length >= maxLineBytes)
      throw new ProxyHeaderError(`the PROXY line is longer than ${maxLineBytes} bytes`);
    return 'incomplete';
  }
  const line = bytes.toString('latin1', 0, end);
  const length = end + 2;
  if (/^PROXY UNKNOWN(?: |$)/.test(line)) return { length, address: undefined };
  const [, family, source = '', target = '', ...ports] = line.split(' ');
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : undefined;
  if (
    isAddress === undefined ||
    !isAddress(source) ||
    !isAddress(target) ||
    ports.length !== 2 ||
    !ports.every(isPort)
  )
    throw new ProxyHeaderError(`the PROXY line is damaged: ${JSON.stringify(line)}`);
  return { length, address: source };
}

function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

function readBinary(bytes: Buffer): ProxyHeader | 'incomplete' {
  const [command = 0, family = 0] = bytes.subarray(12, 14);
  const following = bytes.readUInt16BE(14);
  if (command !== 0x20 && command !== 0x21)
    throw new ProxyHeaderError(`the PROXY header has version and command 0x${command.toString(16)}`);
  if (following > maxFollowingBytes)
    throw new ProxyHeaderError(
      `the PROXY header announces ${following} bytes, more than ${maxFollowingBytes}`,
    );
  const length = fixedBytes + following;
  if (bytes.length < length) return 'incomplete';
  // LOCAL: a health check.
  if (command === 0x20) return { length, address: undefined };
  const addresses = bytes.subarray(fixedBytes, length);
  if (family === 0x11 && following >= 12) return { length, address: addresses.subarray(0, 4).join('.') };
  if (family === 0x21 && following >= 36) return { length, address: textOfIpv6(addresses.subarray(0, 16)) };
  // Neither over IPv4 nor over IPv6: to be taken for unknown.
  if (family !== 0x11 && family !== 0x21) return { length, address: undefined };
  throw new ProxyHeaderError(`the PROXY header has ${following} bytes of addresses`);
}

/** In the short form that Node gives for the addresses of sockets. */
function textOfIpv6(bytes: Buffer): string {
  if (bytes.subarray(0, 12).equals(mappedPrefix)) return bytes.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** `::ffff:0:0/96` */
const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');
