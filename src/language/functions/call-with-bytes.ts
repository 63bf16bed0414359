import {
  ByteString,
  fault,
  isArray,
  isAscii,
  PuppetHash,
  RegexpValue,
  textOfBytes,
  type Value,
} from '../pcore/index.ts';
import type { BuiltinFunction } from './function.ts';

/**
 * Calls a function with strings of bytes among its arguments.
 *
 * @throws PuppetError where characters beyond ASCII meet bytes beyond ASCII, and where a function of text gets
 *   bytes that are not UTF-8: replacement characters would be silently wrong
 */
export function callWithBytes(
  how: BuiltinFunction['bytes'],
  args: readonly Value[],
  call: (args: readonly Value[]) => Value,
): Value {
  if (how === 'values') return call(args);
  if (how === 'shown') return call(args.map((arg) => (arg instanceof ByteString ? arg.toString() : arg)));
  if (how !== 'kept') return call(args.map((arg) => (arg instanceof ByteString ? textOfBytes(arg) : arg)));
  if (args.some((arg) => arg instanceof ByteString && !arg.isAscii) && args.some(isBeyondAscii))
    throw fault('incompatible encoding regexp match (UTF-8 regexp with ASCII-8BIT string)');
  return asBytes(call(args.map((arg) => (arg instanceof ByteString ? standIn(arg) : arg))));
}

/** What `convert` makes of it when no byte beyond ASCII is a letter or a blank to it. */
export function mapBytes(value: ByteString, convert: (text: string) => string): Value {
  return asBytes(convert(standIn(value)));
}

/** Characters for private use, which belong to no class, stand for bytes beyond ASCII. */
const STAND_INS = 0xe000;

/** One character for each byte. */
export function standIn({ text, isAscii: isPlain }: ByteString): string {
  if (isPlain) return text;
  return text.replace(/[\u0080-\u00ff]/g, (byte) => String.fromCharCode(STAND_INS + byte.charCodeAt(0)));
}

function isBeyondAscii(value: Value): boolean {
  if (typeof value === 'string') return !isAscii(value);
  return value instanceof RegexpValue && !isAscii(value.source);
}

/** The strings in it as bytes, but for those that text was put into. */
export function asBytes(value: Value): Value {
  if (typeof value === 'string') return bytesOf(value) ?? value;
  if (isArray(value)) return value.map(asBytes);
  if (!(value instanceof PuppetHash)) return value;
  return new PuppetHash([...value].map(([key, item]) => [asBytes(key), asBytes(item)] as const));
}

function bytesOf(text: string): ByteString | undefined {
  const bytes = text.replace(/[\ue080-\ue0ff]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) - STAND_INS),
  );
  return bytes !== text || isAscii(text) ? new ByteString(bytes) : undefined;
}
