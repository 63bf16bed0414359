import { isUtf8 } from 'node:buffer';
import { utf8Sequence } from '../utf8-sequence.ts';
import { YamlError } from './yaml-error.ts';

/**
 * The text of a YAML file, without a byte order mark.
 *
 * @throws YamlError in libyaml's words when the bytes are not UTF-8, be it in a comment
 */
export function decodeYaml(bytes: Uint8Array): string {
  // libyaml reads before it parses: it knows no better place.
  if (!isUtf8(bytes)) throw new YamlError('syntax', problemOf(bytes), { line: 1, column: 1 });
  return new TextDecoder().decode(bytes);
}

function problemOf(bytes: Uint8Array): string {
  let at = 0;
  for (;;) {
    const sequence = utf8Sequence(bytes, at);
    if (typeof sequence === 'string') return sequence;
    at += sequence;
  }
}
