/** Subject alternative names: `DNS:...` and `IP:...`, as Puppet writes them. */

import { isIPv4, isIPv6 } from 'node:net';
import { contextTag, DerReader, derElement, derSequence } from '../../lib/der/index.ts';
import { X509Error } from './x509-error.ts';

export type GeneralName =
  | { readonly kind: 'dns'; readonly value: string }
  | { readonly kind: 'ip'; readonly value: string }
  /** Anything else: e-mail address, URI, directory name; kept for what it says of a request. */
  | { readonly kind: 'other'; readonly value: string };

const dnsTag = contextTag(2);
const ipTag = contextTag(7);

/**
 * Alternative names as people write them, separated by commas: `DNS:a.example.net, IP:10.0.0.1, b`. Without a
 * prefix it is a DNS name.
 *
 * @throws X509Error when an IP address is none
 */
export function parseAltNames(text: string): GeneralName[] {
  const names = text.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map(parseAltName);
}

/** `DNS:a.example.net` or `IP:10.0.0.1`. */
export function renderAltName(name: GeneralName): string {
  return name.kind === 'other' ? name.value : `${name.kind === 'dns' ? 'DNS' : 'IP'}:${name.value}`;
}

/** GeneralNames as DER. @throws X509Error for a name of kind `other` or an impossible IP address */
export function encodeGeneralNames(names: readonly GeneralName[]): Buffer {
  return derSequence(...names.map(encodeGeneralName));
}

/** @throws X509Error */
export function decodeGeneralNames(der: Uint8Array): GeneralName[] {
  const outer = new DerReader(der);
  const reader = outer.sequence();
  outer.end();
  const names: GeneralName[] = [];
  while (!reader.isAtEnd) {
    const { tag, content } = reader.next();
    if (tag === dnsTag) names.push({ kind: 'dns', value: content.toString('latin1') });
    else if (tag === ipTag) names.push({ kind: 'ip', value: renderIp(content) });
    else names.push({ kind: 'other', value: `[${tag & 0x1f}]` });
  }
  return names;
}

function parseAltName(text: string): GeneralName {
  const [, prefix, value = ''] = /^(?:(DNS|IP):)?\s*(.*)$/s.exec(text) ?? [];
  if (prefix !== 'IP') return { kind: 'dns', value };
  if (!isIPv4(value) && !isIPv6(value)) throw new X509Error(`Invalid IP address '${value}'`);
  return { kind: 'ip', value };
}

function encodeGeneralName(name: GeneralName): Buffer {
  switch (name.kind) {
    case 'dns':
      return derElement(dnsTag, Buffer.from(name.value, 'latin1'));
    case 'ip':
      return derElement(ipTag, encodeIp(name.value));
    case 'other':
      throw new X509Error('Only DNS and IP names can be written');
  }
}

function encodeIp(text: string): Buffer {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (!isIPv6(text) || text.includes('%')) throw new X509Error(`Invalid IP address '${text}'`);
  // An embedded IPv4 address becomes two groups, then "::" is filled up to eight.
  const plain = text.replace(/\d+\.\d+\.\d+\.\d+$/, (embedded) => {
    const bytes = encodeIp(embedded);
    return `${bytes.readUInt16BE(0).toString(16)}:${bytes.readUInt16BE(2).toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...front, ...zeros, ...back].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  }
  return bytes;
}

function renderIp(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new X509Error('An IP address has 4 or 16 octets');
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return groups.join(':');
}
