/** `Digest::MD5` and its like. */

import { createHash } from 'node:crypto';
import { ByteString, type Value } from '../../pcore/index.ts';
import { text } from '../arguments.ts';
import { giveUp } from '../signals.ts';
import { RubyModule } from './ruby-values.ts';

const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['Digest::MD5', 'md5'],
  ['Digest::SHA1', 'sha1'],
  ['Digest::SHA256', 'sha256'],
  ['Digest::SHA384', 'sha384'],
  ['Digest::SHA512', 'sha512'],
]);

/** @param name - without `Digest::` */
export function digestClass(name: string): RubyModule {
  const full = `Digest::${name}`;
  return ALGORITHMS.has(full) ? new RubyModule(full) : giveUp('such a digest');
}

export function hexDigest(digest: RubyModule, data: Value): string {
  return hashOf(digest, data).digest('hex');
}

export function digestBytes(digest: RubyModule, data: Value): ByteString {
  return ByteString.fromBytes(hashOf(digest, data).digest());
}

export function base64Digest(digest: RubyModule, data: Value): string {
  return hashOf(digest, data).digest('base64');
}

function hashOf({ name }: RubyModule, data: Value): ReturnType<typeof createHash> {
  const algorithm = ALGORITHMS.get(name) ?? giveUp('such a digest');
  return createHash(algorithm).update(data instanceof ByteString ? data.bytes : text(data));
}
