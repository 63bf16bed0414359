/** Files whose bytes are UTF-8, and others. */

import { ByteString, fault } from '../../pcore/index.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file; its bytes where they are not UTF-8, so that they reach the agent as they are. */
export function textOrBytes(bytes: Uint8Array): string | ByteString {
  return decoded(bytes) ?? ByteString.fromBytes(bytes);
}

/**
 * The text of a template, without a byte order mark.
 *
 * @throws PuppetError in the reference's words, with the file, when its bytes are not UTF-8
 */
export function templateText(bytes: Uint8Array, file: string): string {
  const text = decoded(bytes);
  if (text === undefined) throw fault(`invalid byte sequence in UTF-8: ${file}`);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined; // not UTF-8
  }
}
