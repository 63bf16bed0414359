/** Values of eyaml files: encrypted blocks in strings, at any depth. */

import { ByteString, isArray, PuppetHash, type Value } from '../pcore/index.ts';
import { LookupError, rubyError } from './lookup-error.ts';
import type { EyamlDecryptor } from './lookup-request.ts';

export interface EyamlContext {
  readonly decryptor: EyamlDecryptor | undefined;
  readonly options: PuppetHash;
  /** For the message when decryption fails. */
  readonly key: string;
  readonly path: string;
  readonly interpolate: (value: Value) => Value;
}

const BLOCK = /ENC\[[^\]]*\]/g;

/** @throws LookupError when a block cannot be decrypted */
export function decryptValue(value: Value, context: EyamlContext): Value {
  if (typeof value === 'string') {
    const plain = decryptText(value, context);
    if (typeof plain === 'string') return context.interpolate(plain);
    if (plain.text.includes('%{')) throw rubyError('invalid byte sequence in UTF-8');
    return plain;
  }
  if (isArray(value)) return value.map((item) => decryptValue(item, context));
  if (!(value instanceof PuppetHash)) return value;
  return new PuppetHash(
    Array.from(value, ([key, item]) => [context.interpolate(key), decryptValue(item, context)] as const),
  );
}

/** Whether there is an encrypted block in a value as it is written. */
export function isEncrypted(value: Value | undefined): boolean {
  if (typeof value === 'string') return value.includes('ENC[');
  if (value !== undefined && isArray(value)) return value.some(isEncrypted);
  return (
    value instanceof PuppetHash &&
    Array.from(value).some(([key, item]) => isEncrypted(key) || isEncrypted(item))
  );
}

/** What is encrypted need not be text: keytabs and keystores, for instance. */
function decryptText(text: string, context: EyamlContext): string | ByteString {
  if (!/ENC\[.*?\]/.test(text)) return text;
  try {
    const { text: bytes } = ByteString.fromBytes(new TextEncoder().encode(text));
    const decrypted = bytes.replace(BLOCK, (block) => decryptBlock(block, context));
    const plain = new ByteString(decrypted.replace(/\r?\n$/, ''));
    return plain.asText() ?? plain;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new LookupError(
      `hiera-eyaml backend error decrypting ${text} when looking up ${context.key} in ${context.path}. Error was ${message}`,
      { cause: error },
    );
  }
}

/** @returns one character for each byte */
function decryptBlock(block: string, { decryptor, options }: EyamlContext): string {
  if (decryptor === undefined) throw new Error('no keys for decryption are configured');
  return ByteString.fromBytes(decryptor.decrypt(block.replace(/\s/g, ''), options)).text;
}
