import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { open, seal } from './seal.ts';

const keys = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
};
const content = Buffer.from('-----BEGIN RSA PRIVATE KEY-----');

test.each(Object.entries(keys))(
  'the owner of a certificate with a key of %s opens what is sealed for it',
  (_, key) => {
    const sealed = seal(key.publicKey, content);

    expect(open(key.privateKey, sealed)).toEqual(content);
    expect(sealed.content.includes('PRIVATE')).toBe(false);
  },
);

test('every key can hold contents of any size', () => {
  const large = Buffer.alloc(3_000_000, 'a');

  for (const { privateKey, publicKey } of Object.values(keys))
    expect(open(privateKey, seal(publicKey, large)).equals(large)).toBe(true);
  expect(open(keys.rsa.privateKey, seal(keys.rsa.publicKey, Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
});

test('no other key opens it', () => {
  const others = {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  };

  for (const name of ['rsa', 'P-256', 'P-384'] as const)
    expect(() => open(others[name].privateKey, seal(keys[name].publicKey, content))).toThrow();
});

test.each(['key', 'nonce', 'tag', 'content'] as const)('a bit that changes in the %s is noticed', (part) => {
  for (const { privateKey, publicKey } of Object.values(keys)) {
    const sealed = seal(publicKey, content);
    const changed = Buffer.from(sealed[part]);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;

    expect(() => open(privateKey, { ...sealed, [part]: changed })).toThrow();
  }
});

test('a shorter tag is refused', () => {
  const { privateKey, publicKey } = keys.rsa;
  const sealed = seal(publicKey, content);

  expect(() => open(privateKey, { ...sealed, tag: sealed.tag.subarray(0, 4) })).toThrow();
});

test('the same content is never sealed in the same way', () => {
  const [one, other] = [seal(keys.rsa.publicKey, content), seal(keys.rsa.publicKey, content)];

  expect(one.content).not.toEqual(other.content);
});

test('a key of another kind is refused in words', () => {
  const { publicKey } = generateKeyPairSync('ed25519');

  expect(() => seal(publicKey, content)).toThrow('neither RSA nor elliptic');
});
