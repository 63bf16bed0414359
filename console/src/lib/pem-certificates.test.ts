import { expect, test } from 'vitest';
import { certificatesIn, pemText } from './pem-certificates.ts';

test('certificates are shown as PEM, and read one by one', () => {
  const text = pemText(['a'.repeat(70), 'YmI=']);

  expect(text.split('\n')).toEqual([
    '-----BEGIN CERTIFICATE-----',
    'a'.repeat(64),
    'a'.repeat(6),
    '-----END CERTIFICATE-----',
    '-----BEGIN CERTIFICATE-----',
    'YmI=',
    '-----END CERTIFICATE-----',
  ]);
  expect(certificatesIn(text).length).toBe(2);
  expect(pemText(certificatesIn(text))).toBe(text);
});

test('base64 alone is one certificate, as metadata of providers has it', () => {
  expect(certificatesIn(' YmI= \n')).toEqual(['YmI=']);
});
