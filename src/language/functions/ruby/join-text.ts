import { ByteString, isArray, joinTexts, plainText, type Value } from '../../pcore/index.ts';

/** `Array#join`: nested arrays are joined in the same way, undef gives nothing. */
export function joinText(values: readonly Value[], separator: string): string | ByteString {
  let joined: string | ByteString | undefined;
  for (const value of values) {
    const text = isArray(value)
      ? joinText(value, separator)
      : value instanceof ByteString
        ? value
        : plainText(value);
    joined = joined === undefined ? text : append(append(joined, separator), text);
  }
  return joined ?? '';
}

function append(left: string | ByteString, right: string | ByteString): string | ByteString {
  return typeof left === 'string' && typeof right === 'string' ? left + right : joinTexts(left, right);
}
