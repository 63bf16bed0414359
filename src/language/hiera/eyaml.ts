/** Values of eyaml files: encrypted blocks in strings, at any depth. */

import { isArray, PuppetHash, type Value } from '../pcore/index.ts';
import { LookupError } from './lookup-error.ts';
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
  if (typeof value === 'string') return context.interpolate(decryptText(value, context));
  if (isArray(value)) return value.map((item) => decryptValue(item, context));
  if (!(value instanceof PuppetHash)) return value;
  return new PuppetHash(
    Array.from(value, ([key, item]) => [context.interpolate(key), decryptValue(item, context)] as const),
  );
}

function decryptText(text: string, context: EyamlContext): string {
  if (!/ENC\[.*?\]/.test(text)) return text;
  try {
    return text.replace(BLOCK, (block) => decryptBlock(block, context)).replace(/\r?\n$/, '');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new LookupError(
      `hiera-eyaml backend error decrypting ${text} when looking up ${context.key} in ${context.path}. Error was ${message}`,
      { cause: error },
    );
  }
}

function decryptBlock(block: string, { decryptor, options }: EyamlContext): string {
  if (decryptor === undefined) throw new Error('no keys for decryption are configured');
  return decryptor.decrypt(block.replace(/\s/g, ''), options);
}
