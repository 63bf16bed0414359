/** `require 'library'` */

import { isRubyNode, type RubyNode } from '../../../lib/ruby-syntax/index.ts';
import { list } from './node.ts';

/** Libraries that do not change modelled classes. */
const HARMLESS_LIBRARIES: ReadonlySet<string> = new Set([
  'base64', 'digest', 'digest/md5', 'digest/sha1', 'digest/sha2', 'erb', 'fileutils', 'json', 'openssl', 'open3', 'pathname',
  'puppet/parser/functions', 'puppet/util', 'securerandom', 'set', 'tempfile', 'time', 'uri', 'yaml', 'zlib', 'ipaddr',
]); // biome-ignore format: a table

export function isHarmlessRequire(node: RubyNode): boolean {
  if (!isRubyNode(node, 'CallNode') || node.name !== 'require' || node.receiver !== null) return false;
  const [library] = node.arguments === null ? [] : list(node.arguments, 'arguments');
  return isRubyNode(library, 'StringNode') && HARMLESS_LIBRARIES.has(library.unescaped);
}
