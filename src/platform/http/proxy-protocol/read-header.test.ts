import { expect, test } from 'vitest';
import { readProxyHeader } from './read-header.ts';

const signature = '0d0a0d0a000d0a515549540a';
const binary = (hex: string) => Buffer.from(signature + hex, 'hex');
const v4 = `2111000c${'c0000201'}${'c0000202'}dc041fcc`;
const v6 = `21210024${'20010db8000000000000000000000001'}${'20010db8000000000000000000000002'}dc041fcc`;
const mapped = `21210024${'00000000000000000000ffffc0000201'}${'00000000000000000000ffffc0000202'}dc041fcc`;

test.each([
  ['PROXY TCP4 192.0.2.1 192.0.2.2 56324 8140\r\n', '192.0.2.1'],
  ['PROXY TCP6 2001:db8::1 2001:db8::2 56324 8140\r\n', '2001:db8::1'],
  ['PROXY UNKNOWN\r\n', undefined],
  ['PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n', undefined],
])('the first version: %j', (line, address) => {
  const bytes = Buffer.from(`${line}GET / HTTP/1.1\r\n`);

  expect(readProxyHeader(bytes)).toEqual({ length: line.length, address });
});

test.each([
  ['TCP over IPv4', v4, '192.0.2.1'],
  ['TCP over IPv6', v6, '2001:db8::1'],
  ['IPv4 in IPv6', mapped, '192.0.2.1'],
  ['with more after the addresses', `21110010${'c0000201c0000202dc041fcc'}04000100`, '192.0.2.1'],
  ['a health check', '20000000', undefined],
  ['a Unix socket', `213100d8${'00'.repeat(216)}`, undefined],
])('the second version: %s', (_, hex, address) => {
  const header = binary(hex);

  expect(readProxyHeader(Buffer.concat([header, Buffer.from('GET')]))).toEqual({
    length: header.length,
    address,
  });
});

test('any part of a header is incomplete', () => {
  for (const header of [Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 56324 8140\r\n'), binary(v4), binary(v6)])
    for (let length = 0; length < header.length; length += 1)
      expect(readProxyHeader(header.subarray(0, length))).toBe('incomplete');
});

test.each(['GET / HTTP/1.1\r\n', 'PUT /', 'PROPFIND', '\u0016\u0003\u0001', '\r\nGET / HTTP/1.1'])(
  '%j is none',
  (text) => expect(readProxyHeader(Buffer.from(text, 'latin1'))).toBe('none'),
);

test.each([
  ['an address of the other family', Buffer.from('PROXY TCP4 2001:db8::1 192.0.2.2 1 2\r\n')],
  ['a missing port', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n')],
  ['an invalid port', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n')],
  ['another protocol', Buffer.from('PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n')],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['another version', binary('1111000cc0000201c0000202dc041fcc')],
  ['addresses that are cut off', binary('21110004c0000201')],
  ['an excessive length', binary('2111ffff')],
])('%s is damage', (_, bytes) => {
  expect(() => readProxyHeader(bytes)).toThrow(/PROXY/);
});
