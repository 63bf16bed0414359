import { fault } from '../fault.ts';
import type { BinaryValue } from '../values/binary-value.ts';
import { ByteString } from '../values/byte-string.ts';
import { inspectBytes, inspectText } from './inspect.ts';
import { formatText } from './ruby-format.ts';
import { illegalFormat, type StringFormat } from './string-format.ts';

export function formatBinary(binary: BinaryValue, format: StringFormat): string {
  const formatAs = (text: string): string =>
    formatText(format.text.replace(/[a-zA-Z]$/, 's'), format.isAlternate ? inspectText(text) : text);
  switch (format.letter) {
    case 's':
      return format.isAlternate
        ? formatText(
            format.text.replace(/[a-zA-Z]$/, 's'),
            inspectBytes(ByteString.fromBytes(binary.bytes).text),
          )
        : formatText(format.text, decodeText(binary.bytes));
    case 'p':
      return `Binary("${formatText(format.text.replace(/[a-zA-Z]$/, 's'), binary.toString())}")`;
    case 'b':
      return formatAs(binary.toRelaxedString());
    case 'B':
      return formatAs(binary.toString());
    case 'u':
      return formatAs(binary.toUrlsafeString());
    case 't':
      return formatAs('Binary');
    case 'T':
      return formatAs('BINARY');
    default:
      throw illegalFormat('Binary', format, 'bButTsp');
  }
}

/** @throws PuppetError naming the first byte that is no text */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const wrong = bytes.find((byte) => byte >= 0x80) ?? 0;
    throw fault(`"\\x${hex(wrong)}" from ASCII-8BIT to UTF-8`);
  }
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
