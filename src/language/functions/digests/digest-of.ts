import { createHash } from 'node:crypto';
import { ByteString, fault, rubyClassName, type Value } from '../../pcore/index.ts';

/** The digest, in hexadecimal, of a string's bytes, which are UTF-8 where it is text. */
export function digestOf(algorithm: string, value: Value): string {
  if (value instanceof ByteString) return createHash(algorithm).update(value.bytes).digest('hex');
  if (typeof value !== 'string') throw fault(`no implicit conversion of ${rubyClassName(value)} into String`);
  return createHash(algorithm).update(value).digest('hex');
}
