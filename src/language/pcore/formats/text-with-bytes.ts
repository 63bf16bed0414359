import { isArray, PuppetHash, type Value } from '../value.ts';
import { ByteString, joinTexts } from '../values/byte-string.ts';
import { stringify } from './stringify.ts';

/** As `stringify`, but bytes in a collection make bytes of the whole where Ruby does so. */
export function textWithBytes(value: Value): string | ByteString {
  if (value instanceof ByteString) return value;
  if (!hasOddBytes(value)) return stringify(value);
  const parts: readonly Value[] = isArray(value)
    ? value.flatMap((item, index) => (index === 0 ? [item] : [', ', item]))
    : [...(value as PuppetHash)].flatMap(([key, item], index) => [
        index === 0 ? '' : ', ',
        key,
        ' => ',
        item,
      ]);
  const [open, close] = isArray(value) ? ['[', ']'] : ['{', '}'];
  let text: string | ByteString = open;
  for (const part of parts) text = joinTexts(text, textWithBytes(part));
  return joinTexts(text, close);
}

/** Whether a collection has bytes beyond ASCII in it. */
function hasOddBytes(value: Value): boolean {
  if (value instanceof ByteString) return !value.isAscii;
  if (isArray(value)) return value.some(hasOddBytes);
  if (!(value instanceof PuppetHash)) return false;
  for (const [key, item] of value) if (hasOddBytes(key) || hasOddBytes(item)) return true;
  return false;
}
