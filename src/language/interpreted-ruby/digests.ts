/** `Digest::MD5` and its like. */

import { createHash } from 'node:crypto';
import { RubyModule } from './ruby-values.ts';
import { giveUp } from './signals.ts';

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

export function hexDigest({ name }: RubyModule, text: string): string {
  const algorithm = ALGORITHMS.get(name) ?? giveUp('such a digest');
  return createHash(algorithm).update(text).digest('hex');
}
