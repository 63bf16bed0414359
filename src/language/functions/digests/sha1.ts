import { defineLegacyFunction } from '../legacy-function.ts';
import { digestOf } from './digest-of.ts';

/** `sha1(text)`: the SHA-1 digest of a string in hexadecimal. */
export const sha1 = defineLegacyFunction({
  name: 'sha1',
  bytes: 'values',
  arity: 1,
  call: (_context, [text = null]) => digestOf('sha1', text),
});
