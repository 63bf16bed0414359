import { constants, createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decryptEnvelope } from './decrypt-envelope.ts';
import { decryptEyaml, type EyamlKeySources } from './index.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const otherPem = otherKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const sources: EyamlKeySources = {
  file: (name) =>
    new Map([
      ['/private', pem],
      ['/public', 'unused'],
    ]).get(name),
  environmentVariable: (name) => (name === 'KEY' ? pem : undefined),
};
const options: Readonly<Record<string, string>> = {
  pkcs7_private_key: '/private',
  pkcs7_public_key: '/public',
};

describe('decryptEyaml', () => {
  test('gives the text of a block', () => {
    const block = `ENC[PKCS7,${Buffer.from(envelope('geheim ✓')).toString('base64')}]`;

    expect(decryptEyaml(block, (name) => options[name], sources)).toEqual(Buffer.from('geheim ✓'));
  });

  test('takes keys from environment variables', () => {
    const named = { pkcs7_private_key_env_var: 'KEY', pkcs7_public_key_env_var: 'KEY' } as const;
    const block = `ENC[${Buffer.from(envelope('x')).toString('base64')}]`;

    expect(decryptEyaml(block, (name) => new Map(Object.entries(named)).get(name), sources)).toEqual(
      Buffer.from('x'),
    );
  });

  test.each([
    ['ENC[PKCS7,AA==]', {}, 'pkcs7_public_key is not defined'],
    ['ENC[PKCS7,AA==]', { pkcs7_public_key: '/public' }, 'pkcs7_private_key is not defined'],
    [
      'ENC[PKCS7,AA==]',
      { ...options, pkcs7_private_key: '/nope' },
      'No such file or directory @ rb_sysopen - /nope',
    ],
    [
      'ENC[PKCS7,AA==]',
      { pkcs7_public_key: '/no/public', pkcs7_private_key: '/no/private' },
      'No such file or directory @ rb_sysopen - /no/private',
    ],
    ['ENC[GPG,AA==]', options, 'Unknown encryption method: GPG'],
  ])('refuses %s with %j', (block, given, message) => {
    const entries = new Map(Object.entries<string>(given));

    expect(() => decryptEyaml(block, (name) => entries.get(name), sources)).toThrow(message);
  });
});

describe('decryptEnvelope', () => {
  test.each([0, 1, 15, 16, 17, 5000])('undoes the encryption of %i bytes', (length) => {
    const text = 'x'.repeat(length);

    expect(Buffer.from(decryptEnvelope(envelope(text), pem)).toString()).toBe(text);
  });

  test('says the same for a wrong key as for a damaged message', () => {
    const damaged = envelope('some text');
    // The last byte of the initial vector: it changes the last byte of the padding, and nothing else.
    const at = damaged.length - 19;
    damaged.set([(damaged[at] ?? 0) ^ 1], at);

    expect(() => decryptEnvelope(envelope('some text'), otherPem)).toThrow('PKCS7 error: decrypt error');
    expect(() => decryptEnvelope(damaged, pem)).toThrow('PKCS7 error: decrypt error');
  });

  test('fails with an error on whatever is no message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => decryptEnvelope(bytes, pem)).toThrow(Error);
      }),
    );
  });
});

/** The message that hiera-eyaml would make: its own encoder, independent of the decoder. */
function envelope(text: string): Uint8Array {
  const [key, vector] = [randomBytes(32), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', key, vector);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const wrapped = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, key);
  const issuer = sequence(sequence(), integer(1));
  const recipient = sequence(
    integer(0),
    issuer,
    sequence(oid('2a864886f70d010101'), der(5)),
    der(4, wrapped),
  );
  const algorithm = sequence(oid('60864801650304012a'), der(4, vector));
  const body = sequence(oid('2a864886f70d010701'), algorithm, der(0x80, content));
  const enveloped = sequence(integer(0), der(0x31, recipient), body);
  return sequence(oid('2a864886f70d010703'), der(0xa0, enveloped));
}

function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...parts);
}

function integer(value: number): Uint8Array {
  return der(2, Uint8Array.of(value));
}

function oid(hex: string): Uint8Array {
  return der(6, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from(head), content]);
}
