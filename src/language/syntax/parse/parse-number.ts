/** Number literals. */

import type { LiteralFloat, LiteralInteger } from '../ast.ts';
import type { Parser } from './parser.ts';

/** Reads a number token; integers beyond the safe ones become `bigint`. */
export function parseNumber(parser: Parser): LiteralInteger | LiteralFloat {
  const { offset, length, value: text } = parser;
  const isHex = text.startsWith('0x') || text.startsWith('0X');
  if (!isHex && /[.eE]/.test(text)) {
    const value = Number(text);
    // The reference has no number for these and says so without a position.
    const isUnusable = !Number.isFinite(value) || /^0+\.?0*[eE]/.test(text);
    if (isUnusable) throw parser.errorWithoutPosition('invalid_number_token', { value: text });
    parser.next();
    return { kind: 'LiteralFloat', offset, length, value };
  }
  parser.next();
  const isOctal = !isHex && text.length > 1 && text.startsWith('0');
  const exact = BigInt(isOctal ? `0o${text.slice(1)}` : text.toLowerCase());
  const value = exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
  return { kind: 'LiteralInteger', offset, length, value, radix: radixOf(isHex, isOctal) };
}

function radixOf(isHex: boolean, isOctal: boolean): LiteralInteger['radix'] {
  if (isHex) return 16;
  return isOctal ? 8 : 10;
}
