import { describe, expect, test } from 'vitest';
import { decodePrivateKey } from './keys.ts';
import { decodePemBlocks, encodePem } from './pem.ts';
import { X509Error } from './x509-error.ts';

const block = (body: string) => `-----BEGIN CERTIFICATE REQUEST-----${body}-----END CERTIFICATE REQUEST-----`;

describe('PEM', () => {
  test('gives back what was armoured, with any white space in and around it', () => {
    const der = Buffer.from(
      'a certificate request, as far as armour is concerned, and a little longer than one line',
    );
    const body = encodePem('CERTIFICATE REQUEST', der).replace(/-----[^-]*-----/g, '');

    expect(
      decodePemBlocks(block(`\r\n \n${body.replaceAll('\n', ' \r\n')}\t\n `), 'CERTIFICATE REQUEST'),
    ).toEqual([der]);
  });

  test.each(['', ' \n', 'AAA!', 'AA=A', 'AAAA===='])('is refused with the body %j', (body) => {
    expect(() => decodePemBlocks(block(body), 'CERTIFICATE REQUEST')).toThrow(X509Error);
  });

  // Anybody may send a request: one of the size that is read took half a minute.
  test('is refused at once when much white space is followed by something else', () => {
    expect(() => decodePemBlocks(block(`${' '.repeat(200_000)}!`), 'CERTIFICATE REQUEST')).toThrow(X509Error);
  });
});

test('a key that cannot be read is named by its file, without its content', () => {
  expect(() => decodePrivateKey('secret', '/ssl/ca_key.pem')).toThrow(
    new X509Error('Could not read the private key in /ssl/ca_key.pem'),
  );
});
