import { defineLegacyFunction } from '../legacy-function.ts';
import { digestOf } from './digest-of.ts';

/** `md5(text)`: the MD5 digest of a string in hexadecimal. */
export const md5 = defineLegacyFunction({
  name: 'md5',
  bytes: 'values',
  arity: 1,
  call: (_context, [text = null]) => digestOf('md5', text),
});
