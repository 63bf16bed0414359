import { defineLegacyFunction } from '../legacy-function.ts';
import { digestOf } from './digest-of.ts';

/** `sha256(text)`: the SHA-256 digest of a string in hexadecimal. */
export const sha256 = defineLegacyFunction({
  name: 'sha256',
  bytes: 'values',
  arity: 1,
  call: (_context, [text = null]) => digestOf('sha256', text),
});
