import { createHash } from 'node:crypto';
import { fault, rubyClassName, type Value } from '../../pcore/index.ts';

/** The digest, in hexadecimal, of a string's UTF-8 bytes. */
export function digestOf(algorithm: string, value: Value): string {
  if (typeof value !== 'string') throw fault(`no implicit conversion of ${rubyClassName(value)} into String`);
  return createHash(algorithm).update(value).digest('hex');
}
