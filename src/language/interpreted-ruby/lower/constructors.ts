/** Methods of classes that code calls: `Hash.new`, `File.basename`, ... */

import { crc32 } from '../../../lib/crc32.ts';
import { isRubyNode, type RubyNode, type RubyNodeOf } from '../../../lib/ruby-syntax/index.ts';
import { isArray, PuppetHash, SensitiveValue, type Value } from '../../pcore/index.ts';
import { at, text } from '../arguments.ts';
import { digestClass, hexDigest } from '../digests.ts';
import { SENSITIVE } from '../kinds.ts';
import { RubyHash } from '../ruby-values.ts';
import type { Code, Run } from '../run.ts';
import { giveUp } from '../signals.ts';
import { lowerItems } from './literals.ts';
import type { Lowering } from './lowering.ts';
import { constantName, list } from './node.ts';
import { deprecation, puppetCalls } from './puppet-calls.ts';

type Construct = (args: readonly Value[], run: Run) => Value;

const KNOWN: ReadonlyMap<string, Construct> = new Map<string, Construct>([
  ['Hash.new', (args) => newHash(args)],
  ['Array.new', (args, run) => (args.length === 0 ? run.own([]) : giveUp('Array.new'))],
  ['Hash.[]', (args) => (args.length === 1 ? hashFrom(at(args, 0)) : giveUp('Hash[]'))],
  [`${SENSITIVE}.new`, (args) => (args.length === 1 ? sensitive(at(args, 0)) : giveUp('Sensitive.new'))],
  ['Zlib.crc32', (args) => (args.length === 1 ? crc32(text(at(args, 0))) : giveUp('Zlib.crc32'))],
  ['Digest.const_get', (args) => (args.length === 1 ? digestClass(text(at(args, 0))) : giveUp('const_get'))],
  ...['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512'].map((name): readonly [string, Construct] => [
    `Digest::${name}.hexdigest`,
    (args) => (args.length === 1 ? hexDigest(digestClass(name), text(at(args, 0))) : giveUp('such a digest')),
  ]),
  ['File.basename', (args) => baseName(plainPath(args, 1))],
  ['File.dirname', (args) => directoryName(plainPath(args, 1))],
  ['File.join', (args) => args.map((part) => text(part)).reduce(joined)],
  ['Regexp.escape', (args) => (args.length === 1 ? escaped(text(at(args, 0))) : giveUp('Regexp.escape'))],
]);

/** `undefined` when the call is none of a constant. */
export function constructors(node: RubyNodeOf<'CallNode'>, lowering: Lowering): Code | undefined {
  const receiver = constantName(node.receiver);
  if (receiver === undefined) return undefined;
  const called = `${receiver}.${node.name}`;
  const construct =
    called === 'Puppet.deprecation_warning' ? deprecation(lowering.placeOf(node)) : knownCall(called);
  if (construct === undefined) return undefined;
  if (node.block !== null) return giveUp(`${node.name} with a block`);
  const nodes = node.arguments === null ? [] : list(node.arguments, 'arguments');
  if (nodes.some(({ kind }) => kind === 'KeywordHashNode')) return giveUp(`${node.name} with keywords`);
  const args = lowerItems(nodes, lowering);
  return (run) => construct(args(run), run);
}

/** A method of a constant, by `Constant.method`. */
function knownCall(called: string): Construct | undefined {
  return KNOWN.get(called) ?? puppetCalls.get(called);
}

export function isKnownCall(node: RubyNode): boolean {
  if (!isRubyNode(node, 'CallNode')) return false;
  return knownCall(`${constantName(node.receiver) ?? ''}.${node.name}`) !== undefined;
}

function newHash(args: readonly Value[]): Value {
  const hash = new RubyHash();
  if (args.length > 1) return giveUp('Hash.new');
  hash.defaultValue = at(args, 0);
  return hash;
}

function hashFrom(value: Value): Value {
  if (value instanceof PuppetHash) return new RubyHash(value);
  if (!isArray(value)) return giveUp('Hash[]');
  const hash = new RubyHash();
  for (const pair of value) {
    if (!isArray(pair) || pair.length !== 2) return giveUp('Hash[] of what is no pair');
    hash.set(at(pair, 0), at(pair, 1));
  }
  return hash;
}

function sensitive(value: Value): Value {
  // Nobody can change what is in there.
  return typeof value === 'object' && value !== null
    ? giveUp('Sensitive of an object')
    : new SensitiveValue(value);
}

function plainPath(args: readonly Value[], count: number): string {
  const path = text(at(args, 0));
  const isPlain = path !== '' && !path.endsWith('/') && !path.includes('//') && args.length === count;
  return isPlain ? path : giveUp('such a path');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  ' ': '\\ ',
};

function escaped(value: string): string {
  return value.replace(
    /[-\\*.?[\](){}^$+|# \n\t\r\f\v]/g,
    (character) => ESCAPES[character] ?? `\\${character}`,
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function directoryName(path: string): string {
  const end = path.lastIndexOf('/');
  if (end === -1) return '.';
  return end === 0 ? '/' : path.slice(0, end);
}

function joined(left: string, right: string): string {
  if (left.endsWith('//') || right.startsWith('//')) giveUp('such a path');
  return `${left.replace(/\/$/, '')}/${right.replace(/^\//, '')}`;
}
